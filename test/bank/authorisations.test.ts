import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  type BankAuthorisation,
  type BankConsent,
  consentStatusAt,
  type Ending,
  endSca,
  moveSca,
  outcomeAt,
  scaStatusAt,
  startAuthorisation,
} from '../../src/bank/index.js';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS, type ScaScenario } from '../../src/spec/index.js';
import { aConsent, anAuthorisation, booksOf, HOUR, MINUTE, NOON } from './a-bank.js';

const REJECTED = ['LOGIN_CANCEL', 'LOGIN_REQUEST_REJECTED', 'SCA_CANCEL', 'SCA_REQUEST_REJECTED'];

function ended(consent: BankConsent, given: Partial<Ending> = {}) {
  const books = booksOf(consent);
  const ending: Ending = { authorisation: anAuthorisation(), psu: 'psu-1', outcome: 'SCA_OK', ...given };
  const { outcome, reason, changes } = endSca(books, ending, NOON);
  applyBankChanges(books.state, changes);
  const fact = books.state.bankConsents.get(consent.id) as BankConsent;
  const scaStatus = books.state.bankAuthorisations.get('authorisation-1')?.status;
  return { outcome, reason, scaStatus, fact, status: consentStatusAt(fact, NOON) };
}

const dedicated = (...accounts: string[]) =>
  aConsent({
    asked: {},
    access: { kind: 'dedicated', accounts, balances: accounts, transactions: [], ownerNames: [] },
  });
const offered = aConsent({
  asked: { accounts: [], balances: [] },
  access: { kind: 'offered', accounts: [], balances: [], transactions: [], ownerNames: [] },
});

describe('the end of an SCA', () => {
  it.each(SCA_SCENARIO_IDS)('by %s makes of a consent what the outcome says', (outcome: ScaScenario) => {
    const { error, scaStatus } = SCA_SCENARIOS[outcome];
    const implicit = ended(aConsent(), { outcome });
    const explicit = ended(aConsent({ explicit: true }), { outcome });
    expect([implicit.scaStatus, explicit.scaStatus]).toEqual([scaStatus, scaStatus]);
    expect(implicit.status).toBe(error === null ? 'valid' : 'rejected');
    const failed = REJECTED.includes(outcome) ? 'rejected' : 'received';
    expect(explicit.status).toBe(error === null ? 'valid' : failed);
  });

  it('stays where the clock was set back', () => {
    const end = anAuthorisation({ status: 'finalised', outcome: 'SCA_OK', statusAt: NOON });
    expect([scaStatusAt(end, NOON - HOUR), outcomeAt(end, NOON - HOUR)]).toEqual(['finalised', 'SCA_OK']);
  });

  it('comes by itself 20 minutes from its beginning, or when it was set to; then nothing can be authorised', () => {
    const seen = (given: Partial<BankAuthorisation>, after: number) => {
      const authorisation = anAuthorisation(given);
      return [scaStatusAt(authorisation, NOON + after), outcomeAt(authorisation, NOON + after)];
    };
    expect(seen({}, 20 * MINUTE - 1)).toEqual(['received', null]);
    expect(seen({}, 20 * MINUTE)).toEqual(['failed', 'LOGIN_TIMEOUT']);
    expect(seen({ status: 'started' }, 20 * MINUTE)).toEqual(['failed', 'SCA_TIMEOUT']);
    expect(seen({ lastsMs: MINUTE }, MINUTE)).toEqual(['failed', 'LOGIN_TIMEOUT']);
    expect(seen({ status: 'finalised', outcome: 'SCA_OK' }, HOUR)).toEqual(['finalised', 'SCA_OK']);
    const ending: Ending = { authorisation: anAuthorisation(), psu: 'psu-1', outcome: 'SCA_OK' };
    expect(endSca(booksOf(aConsent()), ending, NOON + 20 * MINUTE)).toEqual({
      outcome: 'LOGIN_TIMEOUT',
      changes: [],
    });
  });

  it('gives what a consent names, where the PSU owns all of it', () => {
    expect(ended(dedicated('acc-1', 'acc-joint')).status).toBe('valid');
    const refused = ended(dedicated('acc-1', 'acc-3'));
    expect(refused).toMatchObject({
      outcome: 'SCA_REQUEST_REJECTED',
      status: 'rejected',
      scaStatus: 'failed',
    });
    expect(refused.reason).toContain('not of this user');
  });

  it('gives what the PSU selects, of what was asked for', () => {
    expect(ended(offered, { accounts: ['acc-2'] }).fact.access).toEqual({
      kind: 'offered',
      accounts: ['acc-2'],
      balances: ['acc-2'],
      transactions: [],
      ownerNames: [],
    });
    expect(ended(offered).fact.access.accounts).toEqual(['acc-1', 'acc-2', 'acc-joint']);
    expect(ended(offered, { accounts: ['acc-3'] }).outcome).toBe('SCA_REQUEST_REJECTED');
    for (const accounts of [[], ['acc-closed']])
      expect(ended(offered, { accounts }).outcome).toBe('SCA_REQUEST_REJECTED');
  });

  it('cannot succeed for a PSU that nobody knows, nor for a consent that has ended meanwhile', () => {
    expect(ended(aConsent(), { psu: null }).outcome).toBe('SCA_REQUEST_REJECTED');
    expect(ended(aConsent(), { psu: 'psu-9' }).outcome).toBe('SCA_REQUEST_REJECTED');
    const deleted = aConsent({ end: { status: 'terminatedByTpp', at: NOON } });
    expect(ended(deleted)).toMatchObject({ outcome: 'SCA_REQUEST_REJECTED', status: 'terminatedByTpp' });
  });

  it('comes once', () => {
    const authorisation = anAuthorisation({ status: 'failed', outcome: 'SCA_NOK' });
    const ending: Ending = { authorisation, psu: 'psu-1', outcome: 'SCA_OK' };
    expect(endSca(booksOf(aConsent()), ending, NOON)).toEqual({ outcome: 'SCA_NOK', changes: [] });
  });
});

describe('an authorisation', () => {
  it('moves forward only', () => {
    const identified = moveSca(anAuthorisation(), { status: 'psuIdentified', psu: 'psu-1' }, NOON + 1);
    expect(identified).toMatchObject({ status: 'psuIdentified', psu: 'psu-1', statusAt: NOON + 1 });
    const started = anAuthorisation({ status: 'started' });
    expect(moveSca(started, { status: 'psuIdentified' }, NOON)).toBe(started);
    const failed = anAuthorisation({ status: 'failed' });
    expect(moveSca(failed, { status: 'started' }, NOON)).toBe(failed);
  });

  it('that a TPP starts stands with its consent', () => {
    const { state } = booksOf(aConsent({ explicit: true, authorisations: [] }));
    const { createdAt: _, ...opening } = anAuthorisation();
    applyBankChanges(state, startAuthorisation(state, opening, NOON));
    expect(state.bankConsents.get('consent-1')?.authorisations).toEqual(['authorisation-1']);
    expect(state.bankAuthorisations.get('authorisation-1')?.status).toBe('received');
  });
});
