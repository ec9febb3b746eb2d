import { describe, expect, it } from 'vitest';
import { createLogInAttempts } from '../../../../src/answer/log-in-attempts.js';
import {
  applyBankChanges,
  consentStatusAt,
  createBankState,
  paymentChange,
} from '../../../../src/bank/index.js';
import { aConsent, aPayment, booksOf, DAY, MINUTE, NOON, POPULATION } from '../../../bank/a-bank.js';
import { aWalk, type Walk } from '../a-walk.js';

const ACCESS = '/stdgroup/authorization/access';
const ANNA = { login: 'user1', password: 'secret' };
const BODY = aPayment().body;
const VALID = { psu: 'psu-1', scaAt: NOON };

const statusOf = ({ state }: Walk, id: string) => {
  const consent = state.bankConsents.get(id);
  return consent && consentStatusAt(consent, NOON);
};

describe('the pages of a PSU', () => {
  it('are reached from what the listener says of itself', () => {
    const walk = aWalk(booksOf());
    const access = walk.follow(walk.visit('/'), 'Access that you gave');
    expect(access.heading).toBe('Access that you gave');
    expect(walk.visit(ACCESS).html).toBe(access.html);
  });

  it('show what was given, to whom, and let it be taken back', () => {
    const walk = aWalk(booksOf(aConsent(VALID)));
    const overview = walk.press(walk.visit(ACCESS), 'Log in', ANNA);
    expect(overview.text).toContain('Test TPP (PSDNL-SBX-1234512345)');
    expect(overview.text).toContain('Details, balances and transactions of all your accounts');
    expect(overview.text).toContain('Given on 2026-03-02');
    const after = walk.press(overview, 'Take back');
    expect(after.text).toContain('Taken back.');
    expect(after.text).toContain('Ended Test TPP (PSDNL-SBX-1234512345): taken back by you');
    expect(statusOf(walk, 'consent-1')).toBe('revokedByPsu');
    const twice = walk.press(overview, 'Take back');
    expect(twice.text).toContain('This access had already ended.');
  });

  it('show what was given where the clock was set back, too', () => {
    const books = booksOf(aConsent({ ...VALID, scaAt: NOON + DAY }));
    applyBankChanges(books.state, [paymentChange(aPayment({ psu: 'psu-1', authorisedAt: NOON + DAY }))]);
    const walk = aWalk(books);
    const overview = walk.press(walk.visit(ACCESS), 'Log in', ANNA);
    expect(overview.text).not.toContain('No application may read your accounts.');
    expect(overview.text).not.toContain('You authorised no payment.');
  });

  it('show each PSU its own only, and take back nobody else’s', () => {
    const walk = aWalk(
      booksOf(
        aConsent(VALID),
        aConsent({ id: 'consent-2', psu: 'psu-2', scaAt: NOON, authorisations: ['authorisation-2'] }),
        aConsent({ id: 'consent-3', authorisations: ['authorisation-3'] }),
      ),
    );
    const overview = walk.press(walk.visit(ACCESS), 'Log in', ANNA);
    expect(overview.html.match(/name="consent"/g)).toHaveLength(1);
    for (const consent of ['consent-2', 'consent-3', 'nothing']) {
      expect(walk.press(overview, 'Take back', { consent }).text).toContain('This access had already ended.');
    }
    expect(statusOf(walk, 'consent-2')).toBe('valid');
  });

  it('want a log-in that is right, and ten minutes old at most', () => {
    const walk = aWalk(booksOf(aConsent(VALID)));
    const start = walk.visit(ACCESS);
    expect(walk.press(start, 'Log in', { ...ANNA, login: 'nobody' }).problem).toContain('does not know');
    expect(walk.press(start, 'Log in', { ...ANNA, password: 'wrong' }).problem).toContain('wrong');
    const overview = walk.press(start, 'Log in', ANNA);
    expect(walk.press(overview, 'Take back', { sca_token: 'forged' }).problem).toContain('log in again');
    walk.move(11 * MINUTE);
    expect(walk.press(overview, 'Take back').problem).toContain('log in again');
    expect(statusOf(walk, 'consent-1')).toBe('valid');
  });

  it('take five wrong passwords of a PSU in ten minutes, and then not even the right one', () => {
    const walk = aWalk(booksOf(aConsent(VALID)));
    const start = walk.visit(ACCESS);
    const logIn = (given: object) => walk.press(start, 'Log in', { ...ANNA, ...given });
    for (let i = 0; i < 4; i++)
      expect(logIn({ password: 'wrong' }).problem).toContain('The password is wrong');
    expect(logIn({}).text).toContain('Logged in as');
    expect(logIn({ password: 'wrong' }).problem).toContain('The password is wrong');
    expect(logIn({}).problem).toContain('Try again in 10 minutes');
    expect(logIn({ password: 'wrong' }).problem).toContain('Try again in 10 minutes');
    expect(logIn({ login: 'user2' }).text).toContain('Logged in as');
    walk.move(4 * MINUTE);
    expect(logIn({}).problem).toContain('Try again in 6 minutes');
    walk.move(7 * MINUTE);
    expect(logIn({}).text).toContain('Logged in as');
  });

  it('count the attempts of each bank apart, and none twice that is answered twice', () => {
    const attempts = createLogInAttempts(5);
    const [one, other] = [{}, {}];
    for (const call of ['1', '1', '2', '2', '3', '3', '4', '4']) attempts.failed(one, 'psu-1', call, NOON);
    expect(attempts.waits(one, 'psu-1', NOON)).toBe(0);
    attempts.failed(one, 'psu-1', '5', NOON);
    expect(attempts.waits(one, 'psu-1', NOON + MINUTE)).toBe(9 * MINUTE);
    expect(attempts.waits(other, 'psu-1', NOON)).toBe(0);
    expect(attempts.waits(one, 'psu-1', NOON - DAY)).toBe(0);
  });

  it('show payments, newest first, with what became of them', () => {
    const of = (id: string, authorisedAt: number, creditorName: string) =>
      paymentChange(
        aPayment({ id, authorisedAt, psu: 'psu-1', dueAt: NOON + DAY, body: { ...BODY, creditorName } }),
      );
    const state = createBankState([of('p-1', NOON - DAY, 'Older'), of('p-2', NOON, 'Newer')]);
    const walk = aWalk({ state, population: POPULATION });
    const { text } = walk.press(walk.visit(ACCESS), 'Log in', ANNA);
    expect(text).toMatch(/12\.50 EUR to Newer 2026-03-02, .* 12\.50 EUR to Older 2026-03-01,/);
    expect(text).toContain('ACTC AcceptedTechnicalValidation');
  });
});
