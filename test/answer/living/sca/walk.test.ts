import { describe, expect, it } from 'vitest';
import { applyBankChanges, consentStatusAt, setNextOutcome } from '../../../../src/bank/index.js';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../../../src/spec/index.js';
import { aConsent, anAuthorisation, booksOf, MINUTE, NOON } from '../../../bank/a-bank.js';
import { fingerprint } from '../../../builders.js';
import { aWalk, CALLBACK, type Shown, type Walk } from '../a-walk.js';

const NONE = { accounts: [], balances: [], transactions: [], ownerNames: [] };
const OFFERED = aConsent({
  asked: { balances: [], transactions: [] },
  access: { kind: 'offered', ...NONE },
});
const OF_PSU_2 = aConsent({
  asked: { accounts: [{ iban: 'BE02063999999540' }] },
  access: { kind: 'dedicated', ...NONE, accounts: ['acc-3'] },
});
const ANNA = { login: 'user1', password: 'secret' };

const consentStatus = (walk: Walk) => {
  const consent = walk.state.bankConsents.get('consent-1');
  return consent && consentStatusAt(consent, NOON + MINUTE);
};
const codesOf = (walk: Walk) => [...walk.state.bankCodes.values()];

/** Logs in and confirms; a consent that leaves no choice. */
function authorised(walk: Walk): Shown {
  return walk.press(walk.press(walk.open(), 'Log in', ANNA), 'Confirm', { otp: '123456' });
}

describe('an SCA that a PSU walks through', () => {
  it('goes from the log-in over the accounts and the code to the redirect, and its status with it', () => {
    const walk = aWalk(booksOf(OFFERED));
    const start = walk.open();
    expect([start.status, start.heading, walk.status()]).toEqual([
      200,
      'Give access to your account information',
      'received',
    ]);
    const accounts = walk.press(start, 'Log in', ANNA);
    expect(accounts.text).toContain('Which accounts may be read?');
    expect(accounts.text, 'closed accounts cannot be chosen').not.toContain('acc-closed');
    expect(walk.status()).toBe('psuAuthenticated');
    const code = walk.press(accounts, 'Continue', { account: ['acc-1', 'acc-joint'] });
    expect(code.text).toContain('your code is 123456');
    expect(code.text).toContain('You chose Account acc-1');
    expect(walk.status()).toBe('scaMethodSelected');
    const end = walk.press(code, 'Confirm', { otp: '123 456' });
    expect(end.heading).toBe('Successful authorisation');
    expect(walk.status()).toBe('finalised');
    expect(consentStatus(walk)).toBe('valid');
    expect(walk.state.bankConsents.get('consent-1')).toMatchObject({
      psu: 'psu-1',
      access: { balances: ['acc-1', 'acc-joint'], transactions: ['acc-1', 'acc-joint'] },
    });
    const back = walk.follow(end, 'Continue');
    expect(back.status).toBe(302);
    expect(end.text, 'the page shows the whole redirect').toContain(back.location);
    const [issued] = codesOf(walk);
    const given = new URL(back.location).searchParams;
    expect(issued?.code).toBe(fingerprint(given.get('code') ?? ''));
    expect(issued).toMatchObject({
      authorisation: 'authorisation-1',
      scope: 'AIS:consent-1',
      redirectUri: CALLBACK,
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      method: 'S256',
    });
    expect(given.get('state')).toBe('S8NJ7uqk5fY4EjNvP_G');
  });

  it('takes all accounts with one button', () => {
    const walk = aWalk(booksOf(OFFERED));
    const code = walk.press(walk.press(walk.open(), 'Log in', ANNA), 'All accounts');
    walk.press(code, 'Confirm', { otp: '123456' });
    expect(walk.state.bankConsents.get('consent-1')?.access.balances).toEqual(
      expect.arrayContaining(['acc-1', 'acc-joint']),
    );
    expect(walk.state.bankConsents.get('consent-1')?.access.balances).not.toContain('acc-closed');
  });

  it('says in the end what the consent is from now on, and afterwards leads back to the TPP', () => {
    const given = aWalk(booksOf(aConsent()));
    expect(authorised(given).text).toContain('The consent is valid until');
    const later = given.open();
    expect(later.text).toContain('The consent is valid until');
    expect(later.html).toContain(`href="${CALLBACK}"`);
    const refused = aWalk(booksOf(OFFERED));
    expect(refused.press(refused.open(), 'Cancel').text).toContain('The consent is rejected');
    expect(refused.open().html).toMatch(
      /href="https:\/\/tpp\.example\/cb\?error=access_denied&amp;[^"]*state=S8NJ/,
    );
  });

  it('asks for accounts only where the consent leaves them open', () => {
    const walk = aWalk(booksOf(aConsent()));
    expect(walk.press(walk.open(), 'Log in', ANNA).text).toContain('your code is');
  });

  it('wants one account at least, and lets the PSU choose again', () => {
    const walk = aWalk(booksOf(OFFERED));
    const accounts = walk.press(walk.open(), 'Log in', ANNA);
    expect(walk.press(accounts, 'Continue').problem).toBe('Choose at least one account.');
    const strange = walk.press(accounts, 'Continue', { account: ['acc-3', 'acc-closed'] });
    expect(strange.problem, 'neither of another, nor closed').toBe('Choose at least one account.');
    const code = walk.press(accounts, 'Continue', { account: ['acc-1'] });
    const again = walk.press(code, 'Choose other accounts');
    expect(again.html).toMatch(/value="acc-1" checked/);
  });

  it.each([
    [{ login: 'nobody' }, 'The bank does not know this login.', 'UNKNOWN_LOGIN', 'received'],
    [{ password: 'wrong' }, 'The password is wrong.', 'BAD_PASSWORD_LOGIN', 'psuIdentified'],
  ])('counts failed log-ins with %o, and fails with the third', (wrong, problem, outcome, status) => {
    const walk = aWalk(booksOf(aConsent()));
    let page = walk.open();
    for (const left of ['2 attempts are left.', '1 attempt is left.']) {
      page = walk.press(page, 'Log in', { ...ANNA, ...wrong });
      expect(page.problem).toBe(`${problem} ${left}`);
      expect(walk.status()).toBe(status);
    }
    page = walk.press(page, 'Log in', { ...ANNA, ...wrong });
    expect(page.text).toContain(`Outcome ${outcome}`);
    expect([walk.status(), consentStatus(walk)]).toEqual(['failed', 'rejected']);
    expect(walk.follow(page, 'Continue').location).toContain('error=access_denied');
  });

  it('counts wrong codes apart from log-ins, and fails with the third', () => {
    const walk = aWalk(booksOf(aConsent()));
    let page = walk.press(walk.open(), 'Log in', { ...ANNA, password: 'wrong' });
    page = walk.press(page, 'Log in', ANNA);
    for (const left of ['2 attempts are left.', '1 attempt is left.']) {
      page = walk.press(page, 'Confirm', { otp: '000000' });
      expect(page.problem).toBe(`The code is wrong. ${left}`);
    }
    page = walk.press(page, 'Confirm', { otp: '000000' });
    expect(page.text).toContain('Outcome SCA_NOK');
    expect(walk.status()).toBe('failed');
    expect(codesOf(walk)).toEqual([]);
  });

  it('gives no more codes to try to whoever logs in once more', () => {
    const walk = aWalk(booksOf(aConsent()));
    const start = walk.open();
    for (const otp of ['000000', '000001']) walk.press(walk.press(start, 'Log in', ANNA), 'Confirm', { otp });
    const page = walk.press(walk.press(start, 'Log in', ANNA), 'Confirm', { otp: '000002' });
    expect(page.text).toContain('Outcome SCA_NOK');
  });

  it('never falls back: a wrong password beside a PSU who is in changes no status', () => {
    const walk = aWalk(booksOf(aConsent()));
    const start = walk.open();
    walk.press(start, 'Log in', ANNA);
    walk.press(start, 'Log in', { ...ANNA, password: 'wrong' });
    expect(walk.status()).toBe('scaMethodSelected');
  });

  it('tells a PSU who does not own the accounts, and counts nothing', () => {
    const walk = aWalk(booksOf(OF_PSU_2));
    const start = walk.open();
    expect(start.html, 'an owner is proposed').toContain('value="user2"');
    const page = walk.press(start, 'Log in', ANNA);
    expect(page.problem).toBe(
      'The consent names an account that is not of this user. Log in as its owner, or cancel.',
    );
    expect(walk.state.bankAuthorisations.get('authorisation-1')).toMatchObject({
      attempts: 0,
      status: 'received',
    });
  });

  it.each([
    ['before the log-in', (walk: Walk) => walk.open(), 'LOGIN_CANCEL'],
    ['after it', (walk: Walk) => walk.press(walk.open(), 'Log in', ANNA), 'SCA_CANCEL'],
  ])('is cancelled %s', (_, reach, outcome) => {
    const walk = aWalk(booksOf(aConsent()));
    const page = walk.press(reach(walk), 'Cancel');
    expect(page.text).toContain(`Outcome ${outcome}`);
    expect([walk.status(), consentStatus(walk)]).toEqual(['failed', 'rejected']);
  });

  it.each(SCA_SCENARIO_IDS)('ends with %s where that is chosen, on a page and then in the redirect', (id) => {
    const { error, scaStatus, information } = SCA_SCENARIOS[id];
    const walk = aWalk(booksOf(aConsent()));
    const page = walk.press(walk.open(), 'Continue', { choice: id, psu: 'psu-1' });
    expect(page.text).toContain(information);
    expect(walk.status()).toBe(scaStatus);
    const given = new URL(walk.follow(page, 'Continue').location).searchParams;
    expect(given.get('error')).toBe(error);
    expect(given.has('code')).toBe(error === null);
    const link = /id="link"[^>]*>([^<]*)</.exec(page.html)?.[1] ?? '';
    expect(link).toContain(`scenario=${id}`);
  });

  it('chooses nothing for a user whom the bank does not know', () => {
    const walk = aWalk(booksOf(aConsent()));
    const page = walk.press(walk.open(), 'Continue', { choice: 'SCA_OK', psu: 'psu-9' });
    expect(page.problem).toBe('The bank knows no user with the id psu-9.');
    expect(walk.status()).toBe('received');
  });
});

describe('an outcome set ahead', () => {
  const walkWith = (scenario: 'SCA_NOK' | 'SCA_EXEMPTED' | 'LOGIN_TIMEOUT', psu: string | null = null) => {
    const books = booksOf(OFFERED);
    applyBankChanges(books.state, [setNextOutcome(scenario, { scope: null, psu }, NOON)]);
    return aWalk(books);
  };

  it('of the second factor ends the SCA when the code is sent, and is used once', () => {
    const walk = walkWith('SCA_NOK');
    expect(walk.open().text).toContain('SCA_NOK was set ahead');
    const accounts = walk.press(walk.open(), 'Log in', ANNA);
    const code = walk.press(accounts, 'Continue', { account: ['acc-1'] });
    expect(walk.press(code, 'Confirm', { otp: '123456' }).text).toContain('Outcome SCA_NOK');
    expect(walk.state.bankOutcomes.size).toBe(0);
  });

  it('of the log-in ends it there', () => {
    const walk = walkWith('LOGIN_TIMEOUT');
    expect(walk.press(walk.open(), 'Log in', ANNA).text).toContain('Outcome LOGIN_TIMEOUT');
  });

  it('exempts from the second factor', () => {
    const walk = walkWith('SCA_EXEMPTED');
    const accounts = walk.press(walk.open(), 'Log in', ANNA);
    const end = walk.press(accounts, 'Continue', { account: ['acc-1'] });
    expect([end.heading, walk.status(), consentStatus(walk)]).toEqual(['SCA exempted', 'exempted', 'valid']);
  });

  it('for one PSU leaves another alone', () => {
    const walk = walkWith('SCA_NOK', 'psu-2');
    const accounts = walk.press(walk.open(), 'Log in', ANNA);
    const code = walk.press(accounts, 'Continue', { account: ['acc-1'] });
    expect(walk.press(code, 'Confirm', { otp: '123456' }).text).toContain('Outcome SCA_OK');
    expect(walk.state.bankOutcomes.size).toBe(1);
  });

  it('waits where an outcome is chosen by name', () => {
    const walk = walkWith('SCA_NOK');
    expect(walk.press(walk.open(), 'Continue', { choice: 'SCA_OK', psu: 'psu-1' }).text).toContain('SCA_OK');
    expect(walk.state.bankOutcomes.size).toBe(1);
  });
});

describe('whoever knows the address only', () => {
  it('cannot pass over the log-in', () => {
    const walk = aWalk(booksOf(aConsent()));
    const start = walk.open();
    for (const step of ['confirm', 'accounts', 'again']) {
      const page = walk.press(start, 'Log in', { step, otp: '123456', account: 'acc-1', psu: 'psu-1' });
      expect(page.problem, step).toBe('Please log in first.');
    }
    const forged = walk.press(start, 'Log in', { ...ANNA, sca_token: 'forged' });
    expect(forged.problem).toBe('That took too long. Please start again.');
    expect([walk.status(), codesOf(walk)]).toEqual(['received', []]);
  });

  it('changes nothing by reading', () => {
    const walk = aWalk(booksOf(aConsent()));
    walk.open({ choice: 'SCA_NOK' });
    expect(walk.open({ choice: 'SCA_NOK' }).html).toMatch(/value="SCA_NOK" required checked/);
    expect(walk.status()).toBe('received');
  });

  it('takes no ticket of another authorisation', () => {
    const books = booksOf(aConsent(), aConsent({ id: 'consent-2', authorisations: ['authorisation-2'] }));
    const walk = aWalk(books);
    const code = walk.press(walk.open(), 'Log in', ANNA);
    const other = '/stdgroup/authorization/authorize/authorisation-2';
    const start = walk.open({ scope: 'AIS:consent-2' }, other);
    const ticket = /name="sca_token" value="([^"]*)"/.exec(code.html)?.[1] ?? '';
    const page = walk.press(start, 'Log in', { step: 'confirm', otp: '123456', sca_token: ticket });
    expect(page.problem).toBe('That took too long. Please start again.');
  });

  it('has ten minutes', () => {
    const walk = aWalk(booksOf(aConsent()));
    const code = walk.press(walk.open(), 'Log in', ANNA);
    walk.move(11 * MINUTE);
    expect(walk.press(code, 'Confirm', { otp: '123456' }).problem).toBe(
      'That took too long. Please start again.',
    );
    expect(walk.status()).toBe('scaMethodSelected');
  });
});

describe('an authorisation that has ended', () => {
  it('says so, and gives no second code', () => {
    const walk = aWalk(booksOf(aConsent()));
    authorised(walk);
    for (const more of [{}, { scenario: 'SCA_OK' }, { scenario: 'SCA_OK', psu: 'psu-1' }, { psu: 'psu-2' }]) {
      const page = walk.open(more);
      expect([page.status, page.heading]).toEqual([400, 'This authorisation has ended']);
    }
    expect(codesOf(walk)).toHaveLength(1);
  });

  it('is shown once more to whoever sends the last form twice, with the same code', () => {
    const walk = aWalk(booksOf(aConsent()));
    const code = walk.press(walk.open(), 'Log in', ANNA);
    const ends = [1, 2].map(() => walk.press(code, 'Confirm', { otp: '123456' }));
    const [one, two] = ends.map((end) => walk.follow(end, 'Continue').location);
    expect(one).toContain('code=');
    expect(two).toBe(one);
    expect(codesOf(walk)).toHaveLength(1);
  });

  it('is over for the other of two tabs, each with a log-in of its own', () => {
    const walk = aWalk(booksOf(aConsent()));
    const [one, two] = [1, 2].map(() => walk.press(walk.open(), 'Log in', ANNA)) as [Shown, Shown];
    walk.press(one, 'Confirm', { otp: '123456' });
    expect(walk.press(two, 'Confirm', { otp: '123456' }).heading).toBe('This authorisation has ended');
    expect(walk.press(two, 'Cancel').heading).toBe('This authorisation has ended');
    expect([walk.status(), codesOf(walk).length]).toEqual(['finalised', 1]);
  });

  it('leads on no more once the code was used, or is too old', () => {
    const walk = aWalk(booksOf(aConsent()));
    const end = authorised(walk);
    const [issued] = codesOf(walk);
    if (issued === undefined) throw new Error('no code');
    walk.move(11 * MINUTE);
    expect(walk.follow(end, 'Continue').status).toBe(400);
    walk.move(-11 * MINUTE);
    expect(walk.follow(end, 'Continue').status).toBe(302);
    applyBankChanges(walk.state, [
      { family: 'bankCodes', key: issued.code, fact: { ...issued, usedAt: NOON } },
    ]);
    expect(walk.follow(end, 'Continue').status).toBe(400);
  });

  it('leads a failure to TPP-Nok-Redirect-URI, as often as it is asked', () => {
    const books = booksOf(aConsent());
    const nokRedirectUri = 'https://tpp.example/nok';
    const fact = anAuthorisation({ nokRedirectUri });
    applyBankChanges(books.state, [{ family: 'bankAuthorisations', key: fact.id, fact }]);
    const walk = aWalk(books);
    const end = walk.press(walk.open(), 'Cancel');
    for (const location of [1, 2].map(() => walk.follow(end, 'Continue').location))
      expect(location).toMatch(/^https:\/\/tpp\.example\/nok\?error=access_denied/);
    expect(walk.open({ scenario: 'SCA_NOK' }).status, 'another outcome is none').toBe(400);
  });
});
