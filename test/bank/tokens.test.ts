import { describe, expect, it } from 'vitest';
import {
  accessFault,
  applyBankChanges,
  type BankCode,
  type BankState,
  exchangeCode,
  exchangeRefreshToken,
  type Grant,
  giveTokens,
  provesChallenge,
} from '../../src/bank/index.js';
import { fingerprint } from '../builders.js';
import { aConsent, booksOf, DAY, HOUR, MINUTE, NOON, TPP } from './a-bank.js';

/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const SCOPE = 'AIS:consent-1';
const EXCHANGE = { code: 'code', tpp: TPP, clientId: TPP, verifier: VERIFIER, fingerprint };
const CODE: BankCode = {
  ...{ code: 'code', tpp: TPP, authorisation: 'authorisation-1', scope: SCOPE, clientId: TPP },
  ...{ redirectUri: 'https://tpp.example/cb', challenge: CHALLENGE, method: 'S256' },
  ...{ issuedAt: NOON, usedAt: null, reusedAt: null },
};

function bankWith(code: Partial<BankCode> = {}): BankState {
  const { state } = booksOf(aConsent({ psu: 'psu-1', scaAt: NOON }));
  applyBankChanges(state, [{ family: 'bankCodes', key: 'code', fact: { ...CODE, ...code } }]);
  return state;
}

/** Exchanged, and the tokens `a1` and `r1` given. */
function bankWithTokens(): BankState {
  const bank = bankWith();
  const grant = exchangeCode(bank, EXCHANGE, NOON) as Grant;
  applyBankChanges(bank, giveTokens(bank, grant, { tpp: TPP, access: 'a1', refresh: 'r1' }, NOON));
  return bank;
}

describe('a code', () => {
  it.each([
    ['is good at once', {}, {}, 0, null],
    ['is good by a clock that is a second behind', {}, {}, -1_000, null],
    ['is good for ten minutes', {}, {}, 10 * MINUTE, null],
    ['is not good after them', {}, {}, 10 * MINUTE + 1, 'expired'],
    ['is not good twice', { usedAt: NOON }, {}, MINUTE, 'exchanged before'],
    ['is not good for who came before its use and is served behind', { usedAt: NOON + 12 }, {}, 0, 'before'],
    ['is not good again where the clock was set back', { usedAt: NOON + HOUR }, {}, MINUTE, 'before'],
    ['is not that of another TPP', {}, { tpp: 'PSDBE-NBB-1' }, 0, 'not known'],
    ['is not known by another name', {}, { code: 'other' }, 0, 'not known'],
    ['is given to its client', {}, { clientId: 'PSDBE-NBB-1' }, 0, 'client_id'],
    ['is given to its client by the name of the sandbox too', {}, { clientId: 'VALID_CLIENT_ID' }, 0, null],
    ['needs no redirect_uri', {}, { redirectUri: undefined }, 0, null],
    ['needs the right one, if any', {}, { redirectUri: 'https://tpp.example/' }, 0, 'redirect_uri'],
    ['needs its verifier', {}, { verifier: CHALLENGE }, 0, 'code_verifier'],
    ['is not good without a challenge', { challenge: null }, {}, 0, 'code_verifier'],
  ] as const)('%s', (_, code, exchange, later, problem) => {
    const found = exchangeCode(bankWith(code), { ...EXCHANGE, ...exchange }, NOON + later);
    if (problem === null) expect(found).toMatchObject({ scope: SCOPE, code: 'code' });
    else expect('problem' in found ? found.problem : 'given').toContain(problem);
  });

  it('proves its challenge as RFC 7636 has it', () => {
    expect(provesChallenge(VERIFIER, { challenge: CHALLENGE, method: 'S256' })).toBe(true);
    expect(provesChallenge(VERIFIER, { challenge: VERIFIER, method: 'plain' })).toBe(true);
    expect(provesChallenge(VERIFIER, { challenge: `${CHALLENGE}=`, method: 'S256' })).toBe(false);
    expect(provesChallenge(VERIFIER, { challenge: CHALLENGE, method: 'plain' })).toBe(false);
  });

  it('that comes again ends all that it gave, through refreshes too', () => {
    const bank = bankWithTokens();
    const refreshed = exchangeRefreshToken(bank, { token: 'r1', tpp: TPP }, NOON) as Grant;
    applyBankChanges(bank, giveTokens(bank, refreshed, { tpp: TPP, access: 'a2', refresh: 'r2' }, NOON));
    applyBankChanges(bank, exchangeCode(bank, EXCHANGE, NOON + 1).changes);
    for (const token of ['a1', 'a2'])
      expect(accessFault(bank, { token, tpp: TPP, scope: SCOPE }, NOON + 1)).toBe('TOKEN_INVALID');
    for (const token of ['r1', 'r2'])
      expect(exchangeRefreshToken(bank, { token, tpp: TPP }, NOON + 1)).toHaveProperty('problem');
  });
});

describe('an access token', () => {
  it.each([
    ['a1', TPP, SCOPE, HOUR - 1, null],
    ['a1', TPP, SCOPE, HOUR, 'TOKEN_EXPIRED'],
    ['a1', TPP, 'AIS:another', 0, 'TOKEN_INVALID'],
    ['a1', 'PSDBE-NBB-1', SCOPE, 0, 'TOKEN_UNKNOWN'],
    ['r1', TPP, SCOPE, 0, 'TOKEN_UNKNOWN'],
    ['a9', TPP, SCOPE, 0, 'TOKEN_UNKNOWN'],
  ] as const)('%s of %s for %s is after %s ms: %s', (token, tpp, scope, later, fault) => {
    expect(accessFault(bankWithTokens(), { token, tpp, scope }, NOON + later)).toBe(fault);
  });
});

describe('a refresh token', () => {
  it.each([
    ['is good to the end of its 90 days', 'r1', TPP, 90 * DAY, null],
    ['is not good after them', 'r1', TPP, 90 * DAY + 1, 'expired'],
    ['is not that of another TPP', 'r1', 'PSDBE-NBB-1', 0, 'not known'],
    ['is none that gives access', 'a1', TPP, 0, 'not known'],
  ] as const)('%s', (_, token, tpp, later, problem) => {
    const bank = bankWithTokens();
    const lasting = aConsent({ psu: 'psu-1', scaAt: NOON, validUntil: '2027-01-01' });
    applyBankChanges(bank, [{ family: 'bankConsents', key: lasting.id, fact: lasting }]);
    const found = exchangeRefreshToken(bank, { token, tpp }, NOON + later);
    if (problem === null) expect(found).toMatchObject({ scope: SCOPE, code: 'code' });
    else expect('problem' in found ? found.problem : 'given').toContain(problem);
  });

  it.each(['rejected', 'revokedByPsu', 'terminatedByTpp', 'expired'] as const)(
    'ends with a consent that is %s',
    (status) => {
      const bank = bankWithTokens();
      const ended = aConsent({ psu: 'psu-1', scaAt: NOON, end: { status, at: NOON } });
      applyBankChanges(bank, [{ family: 'bankConsents', key: ended.id, fact: ended }]);
      const found = exchangeRefreshToken(bank, { token: 'r1', tpp: TPP }, NOON);
      expect(found).toMatchObject({ problem: `The consent is ${status}.` });
    },
  );
});
