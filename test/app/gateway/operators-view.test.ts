/** What operators are shown of what other gateways changed, and what that costs those that keep calls. */
import { expect, it } from 'vitest';
import { createOperatorsView } from '../../../src/app/gateway/headers.js';
import { knownOf } from '../../../src/recorder/index.js';
import { SandgateError } from '../../../src/spec/index.js';

/** `epoch`: asks the store how far others moved the world on. */
function aView({ epoch, isAlone = false }: { epoch: () => Promise<number>; isAlone?: boolean }) {
  const known = knownOf({ epoch: 1, steps: 0, header: {}, versions: new Map() }, 0, { into: null });
  const did: string[] = [];
  let problem: SandgateError | null = null;
  const view = createOperatorsView({
    store: {
      worlds: {
        epoch: () => {
          did.push('ask');
          return epoch();
        },
      },
    },
    recorder: {
      problem: () => problem,
      catchUp: () => {
        did.push('catch up');
        known.state = { ...known.state, epoch: known.state.epoch + 1 };
      },
    },
    common: { name: '', known: isAlone ? null : known },
  });
  const fail = () => {
    problem = new SandgateError('store.unusable', { path: 'a.db', why: 'the server is gone' });
  };
  return { view, did, fail };
}

it('operators take back what waits to be kept only where another gateway changed something', async () => {
  let epoch = 1;
  const { view, did } = aView({ epoch: async () => epoch });
  await view();
  expect(did).toEqual(['ask']);
  epoch = 2;
  await view();
  await view();
  expect(did).toEqual(['ask', 'ask', 'catch up', 'ask']);
});

it('operators who ask while it is found out share the next time, which begins after they asked', async () => {
  const asked: (() => void)[] = [];
  const { view, did } = aView({
    epoch: () => new Promise((resolve) => asked.push(() => resolve(1 + asked.length))),
  });
  const told: string[] = [];
  const first = view().then(() => told.push('first'));
  const later = Promise.all(Array.from({ length: 100 }, view)).then(() => told.push('later'));
  asked[0]?.();
  await first;
  await new Promise(setImmediate);
  expect([told, did]).toEqual([['first'], ['ask', 'catch up', 'ask']]);
  asked[1]?.();
  await later;
  expect(did).toEqual(['ask', 'catch up', 'ask', 'catch up']);
  void view();
  expect(did).toHaveLength(5);
});

it('operators are shown what is known where the store fails, and do not wait for it then', async () => {
  const { view, did, fail } = aView({ epoch: () => Promise.reject(new Error('gone')) });
  await view();
  await Promise.all([view(), view()]);
  expect(did).toEqual(['ask', 'ask', 'ask']);
  fail();
  await view();
  expect(did).toHaveLength(3);
});

it('a gateway that is alone asks nothing', async () => {
  const { view, did } = aView({ epoch: async () => 9, isAlone: true });
  await view();
  expect(did).toEqual([]);
});
