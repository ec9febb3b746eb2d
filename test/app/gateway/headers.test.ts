/** What holds for all gateways: kept where it changes, and left alone where it does not. */
import { expect, it } from 'vitest';
import { createHeaders } from '../../../src/app/gateway/headers.js';
import { createSwitches } from '../../../src/app/gateway/switches.js';
import type { RunningWorld } from '../../../src/app/gateway/worlds.js';
import { createRecorder, type Recorder } from '../../../src/recorder/index.js';
import { SandgateError } from '../../../src/spec/index.js';
import { StoreMoved } from '../../../src/store/index.js';
import { fingerprint } from '../../builders.js';

const START = {
  source: 'emulator',
  stance: 'enforce',
  profile: 'sandbox',
  bank: 'sandbox',
  scaLink: 'by-profile',
  stances: [],
} as const;

/** `elsewhere`: what another gateway has switched, which this one hears of when it would keep something. */
function aGateway({ elsewhere, ...parts }: { elsewhere?: object; remember?: Recorder['remember'] } = {}) {
  const kept: unknown[] = [];
  const told: unknown[] = [];
  const clock = { state: () => ({ mode: 'real' }) };
  const world = { name: '', clock, known: { state: { header: {} } } } as unknown as RunningWorld;
  let news = elsewhere;
  const remember: Recorder['remember'] = async (_changes, onLost, basis) => {
    if (news !== undefined) {
      onLost?.();
      switches.adopt({ ...switches.current(), ...news });
      news = undefined;
      throw new StoreMoved([]);
    }
    if (basis?.header !== undefined) kept.push(basis.header.settings);
  };
  const headers = createHeaders({ remember, ...parts }, world);
  const switches = createSwitches({
    start: START,
    problemOf: () => null,
    share: headers.share,
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
  const { switches, kept, told } = aGateway({ elsewhere: { stance: 'observe' } });
  await switches.change({ stance: 'enforce' });
  expect([kept, told]).toEqual([[{ a: START }], [{ stance: 'enforce' }]]);
});

it('a switch that changes something is kept', async () => {
  const { switches, kept } = aGateway();
  await switches.change({ stance: 'observe' });
  expect(kept).toEqual([{ a: { ...START, stance: 'observe' } }]);
});

const FAULT = new SandgateError('store.unusable', { path: 'a.db', why: 'the server is gone' });
const gone = () => Promise.reject(FAULT);

const recorderOnNothing = () =>
  createRecorder({
    store: { append: gone, place: { check: gone } },
    others: { dependenciesOf: () => [], kept: () => {}, catchUp: gone, distrust: () => {} },
    timer: { after: () => () => {} },
    fingerprint,
    onDown: () => {},
    onUp: () => {},
  });

it.each(['enforce', 'observe'])('a switch to %s is refused while the store is down', async (stance) => {
  const recorder = recorderOnNothing();
  const { switches } = aGateway(recorder);
  // First nobody knows yet that it is.
  await expect(switches.change({ stance })).rejects.toBe(FAULT);
  expect(recorder.problem()).toBe(FAULT);
  await expect(switches.change({ stance })).rejects.toBe(FAULT);
  expect(switches.current()).toEqual(START);
});

it('a switch to what is on its way to be kept is refused where that is lost', async () => {
  const { switches } = aGateway(recorderOnNothing());
  const both = [switches.change({ stance: 'observe' }), switches.change({ stance: 'observe' })];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
