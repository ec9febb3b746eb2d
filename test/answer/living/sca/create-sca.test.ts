import { describe, expect, it } from 'vitest';
import { applyBankChanges, setNextOutcome } from '../../../../src/bank/index.js';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../../../src/spec/index.js';
import { aConsent, booksOf, NOON } from '../../../bank/a-bank.js';
import { aWalk, CALLBACK } from '../a-walk.js';

const NONE = { accounts: [], balances: [], transactions: [], ownerNames: [] };
const OFFERED = aConsent({ asked: { balances: [] }, access: { kind: 'offered', ...NONE } });

describe('the authorization request without a page', () => {
  it.each(SCA_SCENARIO_IDS)('ends at once with %s', (scenario) => {
    const { error, scaStatus } = SCA_SCENARIOS[scenario];
    const walk = aWalk(booksOf(aConsent()));
    const { status, location } = walk.open({ scenario, psu: 'psu-1' });
    const given = new URL(location).searchParams;
    expect([status, given.get('error'), given.has('code')]).toEqual([302, error, error === null]);
    expect(given.get('state')).toBe('S8NJ7uqk5fY4EjNvP_G');
    expect(walk.status()).toBe(scaStatus);
  });

  it('takes the first owner where no PSU is named, and selects what is named', () => {
    const walk = aWalk(booksOf(OFFERED));
    expect(walk.open({ scenario: 'SCA_OK', accounts: 'acc-joint' }).status).toBe(302);
    expect(walk.state.bankConsents.get('consent-1')).toMatchObject({
      psu: 'psu-1',
      access: { balances: ['acc-joint'] },
    });
  });

  it('selects no accounts where the consent leaves none open', () => {
    const answer = aWalk(booksOf(aConsent())).open({ scenario: 'SCA_OK', accounts: 'acc-1' });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('leaves no accounts to choose'),
    ]);
  });

  it('ends with what was set ahead where a PSU is named and no outcome', () => {
    const books = booksOf(aConsent());
    applyBankChanges(books.state, [setNextOutcome('SCA_NOK', { scope: 'AIS:consent-1', psu: null }, NOON)]);
    const walk = aWalk(books);
    expect(walk.open({ psu: 'psu-1' }).location).toContain('SCA_NOK');
    expect(walk.state.bankOutcomes.size).toBe(0);
    expect(aWalk(booksOf(aConsent())).open({ psu: 'psu-1' }).location).toMatch(/[?&]code=[0-9a-f]{96}&/);
  });

  it('is rejected for a PSU who cannot give it', () => {
    const consent = aConsent({ access: { kind: 'dedicated', ...NONE, accounts: ['acc-3'] } });
    const walk = aWalk(booksOf(consent));
    expect(walk.open({ scenario: 'SCA_OK', psu: 'psu-1' }).location).toContain('SCA_REQUEST_REJECTED');
    expect(walk.status()).toBe('failed');
  });

  it.each([
    [{ scenario: 'SCA_FINE' }, 400, 'The bank simulates no outcome SCA_FINE.'],
    [{ psu: 'psu-9' }, 400, 'The bank knows no PSU psu-9. It has 2; the first is psu-1.'],
    [{ psu: 'psu-1', accounts: 'acc-1,acc-3' }, 400, 'The PSU psu-1 has no account acc-3. Its accounts are'],
    [{ redirect_uri: 'nowhere' }, 400, 'redirect_uri is missing'],
  ])('tells what is wrong with %o, and changes nothing', (more, status, text) => {
    const walk = aWalk(booksOf(OFFERED));
    const page = walk.open(more);
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(text)]);
    expect(walk.status()).toBe('received');
  });

  it.each([
    ['an unknown outcome', OFFERED, { scenario: 'SCA_FINE' }],
    ['an unknown PSU', OFFERED, { psu: 'psu-9' }],
    ['an unknown account', OFFERED, { psu: 'psu-1', accounts: 'acc-3' }],
    ['accounts where none can be chosen', aConsent(), { scenario: 'SCA_OK', accounts: 'acc-1' }],
  ])('leads back to the TPP, and to its own pages, from the page about %s', (_, consent, more) => {
    const walk = aWalk(booksOf(consent));
    const page = walk.open(more);
    const back = new URL(walk.href(page, 'Back to tpp.example'));
    expect([
      back.origin + back.pathname,
      ...['error', 'state'].map((name) => back.searchParams.get(name)),
    ]).toEqual([CALLBACK, 'access_denied', 'S8NJ7uqk5fY4EjNvP_G']);
    expect(walk.follow(page, 'Start again').heading).toBe(walk.open().heading);
  });

  it('leads nowhere from a request whose redirect URI is not that of the creation', () => {
    const page = aWalk(booksOf(aConsent())).open({ redirect_uri: 'https://elsewhere.example/' });
    expect(page.html).not.toMatch(/<a [^>]*href/);
  });

  it('redirects with invalid_scope where the scope is not that of the authorisation', () => {
    const { location } = aWalk(booksOf(aConsent())).open({ scope: 'AIS:another' });
    expect(location).toContain(`${CALLBACK}?error=invalid_scope`);
  });

  it('is the sandbox bank’s where that has handed out the authorisation, or nobody has', () => {
    const walk = aWalk(booksOf(aConsent()));
    const fixed = '/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222';
    const back = walk.open({ scope: 'AIS:VALID_CONSENT_ID', scenario: 'SCA_OK' }, fixed);
    expect(back.location).toContain('code=AIS_VALID_CODE');
    expect(walk.open({}, '/stdgroup/authorization/authorize/unknown').status).toBe(404);
  });
});
