/** What holds for all gateways: kept where it changes, and left alone where it does not. */
import { expect, it } from 'vitest';
import { createHeaders } from '../../../src/app/gateway/headers.js';
import { createSwitches } from '../../../src/app/gateway/switches.js';
import type { RunningWorld } from '../../../src/app/gateway/worlds.js';

const START = { source: 'emulator', stance: 'enforce', profile: 'sandbox', bank: 'sandbox' } as const;

/** `elsewhere`: what another gateway has switched, which this one hears of when it looks. */
function aGateway(elsewhere: object = {}) {
  const kept: unknown[] = [];
  const told: unknown[] = [];
  const clock = { state: () => ({ mode: 'real' }) };
  const world = { name: '', clock, known: { standing: { header: {} } } } as unknown as RunningWorld;
  const headers = createHeaders(
    {
      catchUp: () => switches.adopt({ ...switches.current(), ...elsewhere }),
      remember: async (_changes, _onLost, resting) => void kept.push(resting?.header?.settings),
    },
    () => world,
  );
  const switches = createSwitches({
    start: START,
    problemOf: () => null,
    share: (apply) => headers.share(world, apply),
    onChange: (changed) => told.push(changed),
  });
  headers.add('settings', { under: 'a', read: switches.current, adopt: () => {} });
  return { switches, kept, told };
}

it('a switch that changes nothing is not kept', async () => {
  const { switches, kept, told } = aGateway();
  expect(await switches.change({ stance: 'enforce' })).toEqual(START);
  expect([kept, told]).toEqual([[], []]);
});

it('a switch that changes nothing here is kept where another gateway has switched meanwhile', async () => {
  const { switches, kept, told } = aGateway({ stance: 'observe' });
  await switches.change({ stance: 'enforce' });
  expect([kept, told]).toEqual([[{ a: START }], [{ stance: 'enforce' }]]);
});

it('a switch that changes something is kept', async () => {
  const { switches, kept } = aGateway();
  await switches.change({ stance: 'observe' });
  expect(kept).toEqual([{ a: { ...START, stance: 'observe' } }]);
});
