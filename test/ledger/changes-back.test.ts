import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  applyChanges,
  changeBack,
  createLedger,
  type LedgerChange,
  type LedgerState,
} from '../../src/ledger/index.js';

const aChange = fc
  .record({
    family: fc.constantFrom('tokens', 'codes', 'accesses'),
    key: fc.constantFrom('a', 'b', 'c'),
    fact: fc.option(fc.record({ at: fc.nat() })),
  })
  .map((change) => change as unknown as LedgerChange);
/** A fact that comes back is the newest of its family. */
const plain = ({ tokens, codes, accesses }: LedgerState) =>
  [tokens, codes, accesses].map((facts) => new Map<string, object>(facts));
const changes = fc.array(aChange, { maxLength: 8 });

it('Changes that are taken back leave the facts as they were, latest first of several', () => {
  fc.assert(
    fc.property(changes, fc.array(changes, { maxLength: 4 }), (before, steps) => {
      const ledger = createLedger(before);
      const undos = steps.map((step) => {
        const back = step.map((change) => changeBack(ledger, change));
        applyChanges(ledger, step);
        return back;
      });
      for (const back of undos.reverse()) applyChanges(ledger, back);
      expect(plain(ledger)).toEqual(plain(createLedger(before)));
    }),
  );
});
