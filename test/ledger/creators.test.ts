import { describe, expect, it } from 'vitest';
import {
  createLedger,
  keyOf,
  type LedgerState,
  mayBeUnseen,
  UNOBSERVED_TPP,
} from '../../src/ledger/index.js';
import { applyChange } from '../../src/ledger/ledger.js';
import { aConsent } from '../rules/a-ledger.js';

function created(ledger: LedgerState, id: string, tpp: string, isKept = true): void {
  const fact = isKept ? aConsent({ id, tpp }) : null;
  applyChange(ledger, { family: 'consents', key: keyOf.resource(tpp, id), fact });
}

/** Whether the consent C may be another's than those know who created it. */
const mayBe = (ledger: LedgerState) => mayBeUnseen(ledger, 'consents', 'C');
const beganLater = () => Object.assign(createLedger(), { beganLater: true });

describe('a consent that a TPP is not known to have created', () => {
  it('may be its own where more is known than here, and nobody else created it', () => {
    expect([mayBe(createLedger()), mayBe(beganLater())]).toEqual([false, true]);
    const ledger = beganLater();
    created(ledger, 'D', 'A');
    expect(mayBe(ledger)).toBe(true);
    created(ledger, 'C', 'A');
    expect([mayBe(ledger), mayBeUnseen(ledger, 'payments', 'C')]).toEqual([false, true]);
    // Its status changed.
    created(ledger, 'C', 'A');
    expect(mayBe(ledger)).toBe(false);
    created(ledger, 'C', 'A', false);
    expect(mayBe(ledger)).toBe(true);
  });

  it('may be its own where several got the id, or it is not known who did', () => {
    const ledger = beganLater();
    created(ledger, 'C', UNOBSERVED_TPP);
    expect(mayBe(ledger)).toBe(true);
    for (const tpp of ['A', 'B']) created(ledger, 'C', tpp);
    expect(mayBe(ledger)).toBe(true);
  });

  it('is not where its id is one of the sandbox, which no other bank gives', () => {
    expect(mayBeUnseen(beganLater(), 'consents', 'VALID_CONSENT_ID')).toBe(false);
  });
});
