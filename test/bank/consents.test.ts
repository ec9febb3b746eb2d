import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  authoriseConsent,
  type BankConsent,
  consentStatusAt,
  endConsent,
} from '../../src/bank/index.js';
import { aConsent, booksOf, DAY, HOUR, MINUTE, NOON } from './a-bank.js';

const VALID = aConsent({ psu: 'psu-1', scaAt: NOON });
/** Of validUntil, in summer time; today's is of winter time. */
const BEGINS = Date.parse('2026-05-30T22:00:00Z');
const TODAY = '2026-03-02';
const BEGINS_TOMORROW = Date.parse('2026-03-02T23:00:00Z');

describe('the status of a consent', () => {
  it.each([
    ['received before its SCA', aConsent(), NOON, 'received'],
    ['valid after it', VALID, NOON, 'valid'],
    ['valid by a clock that is a second behind', VALID, NOON - 1_000, 'valid'],
    ['valid where the clock was set back before its SCA', VALID, NOON - 9 * DAY, 'valid'],
    ['valid to the last moment of validUntil', VALID, BEGINS + DAY - 1, 'valid'],
    ['expired after it', VALID, BEGINS + DAY, 'expired'],
    ['received until a day has passed', aConsent(), NOON + DAY - 1, 'received'],
    ['rejected then, where nobody authorised it', aConsent(), NOON + DAY, 'rejected'],
    ['expired where its last day ends before', aConsent({ validUntil: TODAY }), BEGINS_TOMORROW, 'expired'],
    ['as it ended', ended('revokedByPsu'), NOON + HOUR, 'revokedByPsu'],
    ['as it ended where the clock was set back', ended('revokedByPsu'), NOON + MINUTE, 'revokedByPsu'],
    ['as it ended, past validUntil too', ended('terminatedByTpp'), BEGINS + 9 * DAY, 'terminatedByTpp'],
    ['valid 20 minutes from the first read, if for once', used(NOON), NOON + 20 * MINUTE - 1, 'valid'],
    ['expired after them', used(NOON), NOON + 20 * MINUTE, 'expired'],
  ] as const)('is %s', (_, consent, now, status) => {
    expect(consentStatusAt(consent, now)).toBe(status);
  });
});

function ended(status: 'revokedByPsu' | 'terminatedByTpp'): BankConsent {
  return { ...VALID, end: { status, at: NOON + HOUR } };
}

function used(usedAt: number): BankConsent {
  return { ...VALID, recurring: false, usedAt };
}

describe('the end of a consent', () => {
  it.each([
    ['rejected', aConsent(), true],
    ['rejected', VALID, false],
    ['revokedByPsu', VALID, true],
    ['revokedByPsu', aConsent(), false],
    ['terminatedByTpp', aConsent(), true],
    ['terminatedByTpp', VALID, true],
    ['expired', VALID, true],
    ['expired', ended('revokedByPsu'), false],
  ] as const)('%s is told of what may end so', (status, consent, may) => {
    const [change] = endConsent(consent, status, NOON + 2 * HOUR);
    expect(change?.fact === undefined ? null : (change.fact as BankConsent).end).toEqual(
      may ? { status, at: NOON + 2 * HOUR } : null,
    );
  });

  it('comes to an older recurring one of the same PSU and TPP when a newer becomes valid', () => {
    const older = { ...VALID, id: 'older' };
    const others = [
      { ...VALID, id: 'of-another-psu', psu: 'psu-2' },
      { ...VALID, id: 'of-another-tpp', tpp: 'PSDBE-NBB-1' },
      { ...VALID, id: 'for-once', recurring: false },
    ];
    const newer = aConsent({ id: 'newer' });
    const { state } = booksOf(older, ...others, newer);
    const { access } = newer;
    applyBankChanges(state, authoriseConsent(state, newer, { psu: 'psu-1', access }, NOON + HOUR));
    const statuses = [...state.bankConsents.values()].map((one) => [
      one.id,
      consentStatusAt(one, NOON + HOUR),
    ]);
    expect(Object.fromEntries(statuses)).toEqual({
      older: 'expired',
      'of-another-psu': 'valid',
      'of-another-tpp': 'valid',
      'for-once': 'valid',
      newer: 'valid',
    });
  });
});
