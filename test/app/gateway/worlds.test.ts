/** In whose world a link to the bank's pages leads, where other gateways serve on the store as well. */
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/app/clock/clock.js';
import { createWorlds } from '../../../src/app/gateway/worlds.js';
import type { World } from '../../../src/bank/index.js';
import { MOST_ISOLATED_FACTS } from '../../../src/ledger/index.js';
import { COMMON_WORLD } from '../../../src/store/index.js';
import { TPP } from '../../builders.js';

/** `world`: whose the authorisation is; `moved`: its home, since this gateway looked; `isAnew`: all of the world. */
async function asked({ world = COMMON_WORLD, isolated = false, moved = false, isAnew = false } = {}) {
  const state = { epoch: 1, steps: 0, header: {}, versions: new Map([[TPP, 1]]) };
  const caughtUp: unknown[] = [];
  const worlds = await createWorlds({
    store: {
      worlds: {
        layers: () => [],
        body: () => null,
        knowing: () => [],
        ownerOf: () => ({ world, home: TPP, version: moved ? 2 : 1, steps: isAnew ? 1 : 0 }),
        state: () => state,
        stamp: () => 0,
      },
    },
    isShared: true,
    isolated,
    forgetful: false,
    keepsNoBank: false,
    openClock: () => ({}) as Clock,
    most: 10,
  });
  worlds.follow({ catchUp: (...given) => void caughtUp.push(given) }, () => {});
  if (world !== COMMON_WORLD) await worlds.enter(world);
  return { session: await worlds.sessionOf('a-1'), caughtUp };
}

it('a link that nobody will ever know reads nothing and takes nothing back, however often it is called', async () => {
  expect(await asked()).toEqual({ session: undefined, caughtUp: [] });
  expect(await asked({ world: 's', isolated: true })).toEqual({ session: 's', caughtUp: [] });
});

it('a link of another world leads nowhere where all calls share one', async () => {
  expect(await asked({ world: 's', moved: true })).toEqual({ session: undefined, caughtUp: [] });
});

it.each([{ moved: true }, { isAnew: true }])(
  'a link that another gateway made is known (%j)',
  async (how) => {
    expect(await asked(how)).toEqual({ session: undefined, caughtUp: [[COMMON_WORLD, TPP]] });
    const isolated = { world: 's', isolated: true, ...how };
    expect(await asked(isolated)).toEqual({ session: 's', caughtUp: [['s', TPP]] });
  },
);

it('ledgers of isolated sessions have room together, and that of all other calls has its own', async () => {
  const worlds = await createWorlds({
    store: {
      worlds: {
        layers: () => [],
        body: () => null,
        knowing: () => [],
        ownerOf: () => null,
        state: () => ({ epoch: 1, steps: 0, header: {}, versions: new Map() }),
        stamp: () => 0,
      },
    },
    isShared: false,
    isolated: true,
    forgetful: false,
    keepsNoBank: false,
    openClock: () => ({}) as Clock,
    most: 10,
  });
  const fill = ({ ledger }: World, count: number) => {
    for (let i = 0; i < count; i++) ledger.tokens.putText(String(i), '{}');
  };
  /** Within so many calls it is noticed. */
  const noticed = () => Array.from({ length: 64 }, worlds.areCrowded).at(-1);
  fill(worlds.common, MOST_ISOLATED_FACTS + 1);
  expect(noticed()).toBe(false);
  fill(await worlds.enter('one'), MOST_ISOLATED_FACTS / 2);
  fill(await worlds.enter('two'), MOST_ISOLATED_FACTS / 2);
  expect(noticed()).toBe(false);
  const third = await worlds.enter('three');
  fill(third, 1);
  expect(noticed()).toBe(true);
  third.ledger.tokens.drop('0');
  expect(worlds.areCrowded()).toBe(false);
});
