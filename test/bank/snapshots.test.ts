/** Snapshots hold a world as it was, whatever comes after them: a model that copies everything agrees. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  applyFacts,
  applyStep,
  createWorld,
  type FactChange,
  factsBack,
  restoreSnapshot,
  tidySnapshots,
  type World,
} from '../../src/bank/index.js';
import { NOW, TPP } from '../builders.js';

type Step =
  | { readonly do: 'change'; readonly key: string; readonly value: number | null; readonly family: boolean }
  | { readonly do: 'take' | 'restore' | 'drop'; readonly name: string }
  | { readonly do: 'reset' | 'tidy' };

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      key: fc.constantFrom('x', 'y', 'z'),
      value: fc.option(fc.nat(5)),
      family: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('take', 'restore'), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset' as const, 'tidy' as const) }) },
);

function changeOf({ key, value, family }: Extract<Step, { do: 'change' }>): FactChange {
  if (family) {
    const fact =
      value === null ? null : ({ scenario: 'SCA_OK', scope: null, psu: null, setAt: value } as const);
    return { family: 'bankOutcomes', key, fact };
  }
  const fact =
    value === null ? null : { token: key, tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt: value };
  return { family: 'tokens', key, fact };
}

const factsOf = ({ ledger, bank }: World): string =>
  JSON.stringify(
    [ledger.tokens, bank.bankOutcomes].map((facts) => [...facts].sort(([a], [b]) => (a < b ? -1 : 1))),
  );

/** Gives what takes the step back. */
function take(world: World, copies: Map<string, string>, one: Step): () => void {
  if (one.do === 'change') {
    const changes = [changeOf(one)];
    const back = factsBack(world, changes);
    applyFacts(world, changes);
    return () => applyFacts(world, back);
  }
  if (one.do === 'tidy') tidySnapshots(world);
  if (one.do === 'reset') return applyStep(world, { step: 'reset' });
  if (one.do === 'take') {
    copies.set(one.name, factsOf(world));
    return applyStep(world, { step: 'take', name: one.name, at: NOW, clock: {} });
  }
  const snapshot = 'name' in one ? world.snapshots.get(one.name) : undefined;
  if (!('name' in one) || snapshot === undefined) return () => {};
  if (one.do === 'restore') return applyStep(world, { step: 'restore', name: one.name });
  copies.delete(one.name);
  return applyStep(world, { step: 'drop', name: one.name });
}

it('every snapshot can be gone back to at any time, and is what it was', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = createWorld();
      const copies = new Map<string, string>();
      for (const one of steps) {
        take(world, copies, one);
        if (one.do === 'reset') expect(factsOf(world)).toBe('[[],[]]');
        if (one.do === 'restore' && copies.has(one.name)) expect(factsOf(world)).toBe(copies.get(one.name));
      }
      expect([...world.snapshots.keys()].sort()).toEqual([...copies.keys()].sort());
      for (const [known, copy] of copies) {
        const snapshot = world.snapshots.get(known);
        if (snapshot !== undefined) restoreSnapshot(world, snapshot);
        expect(factsOf(world)).toBe(copy);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('steps that cannot be kept are taken back, the latest first, and nothing else is', () => {
  const untidy = step.filter(({ do: what }) => what !== 'tidy');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(untidy, { maxLength: 10 }), (kept, lost) => {
      const world = createWorld();
      const copies = new Map<string, string>();
      for (const one of kept) take(world, copies, one);
      const before = [factsOf(world), [...world.snapshots.keys()], new Map(copies)] as const;
      for (const undo of lost.map((one) => take(world, copies, one)).reverse()) undo();
      expect([factsOf(world), [...world.snapshots.keys()]]).toEqual(before.slice(0, 2));
      tidySnapshots(world);
      for (const [known, copy] of before[2]) {
        const snapshot = world.snapshots.get(known);
        if (snapshot !== undefined) restoreSnapshot(world, snapshot);
        expect(factsOf(world)).toBe(copy);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('a snapshot that is taken again and again does not grow with what was before', () => {
  const world = createWorld();
  for (let i = 0; i < 50; i++) {
    applyFacts(world, [changeOf({ do: 'change', key: String(i), value: i, family: true })]);
    applyStep(world, { step: 'take', name: 'a', at: NOW, clock: {} });
    tidySnapshots(world);
  }
  expect(world.line.base).toMatchObject({ parent: null, differs: null });
  expect(world.snapshots.size).toBe(1);
});
