/** What the living bank remembers is bounded by bytes, for each TPP and in all. */
import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  authorisationChange,
  type BankAuthorisation,
  type BankChange,
  type BankPayment,
  bookedBalance,
  consentChange,
  createBankState,
  exchangeRefreshToken,
  giveTokens,
  newPayment,
  paymentChange,
  roomFor,
} from '../../src/bank/index.js';
import { applyBankText } from '../../src/bank/state.js';
import { aConsent, anAuthorisation, aPayment, booksOf, DAY, NOON, TPP } from './a-bank.js';

const OTHER = 'PSDDE-BAFIN-987654';
const KB = 1_000;
const text = (length: number) => ({ remittanceInformationUnstructured: 'x'.repeat(length) });
const payment = (id: string, given: Partial<BankPayment> = {}): BankChange =>
  paymentChange(aPayment({ id, body: { ...aPayment().body, ...text(10 * KB) }, ...given }));
const booked = { at: NOON, outcome: 'booked', reason: null, debited: 1250, credited: 0 } as const;

let made = 0;
/** A bank in which a TPP goes on until it is refused; gives how many it could create. */
function filled(
  books: ReturnType<typeof booksOf>,
  tpp: string,
  bounds: { ofTpp: number; ofAll: number },
  now = NOON,
) {
  for (let i = 0; ; i++) {
    const created = [payment(`payment-${++made}`, { tpp })];
    const leaving = roomFor(books.state, tpp, created, now, bounds);
    if (leaving === null || i === 500) return i;
    applyBankChanges(books.state, [...created, ...leaving]);
  }
}

describe('what a TPP creates', () => {
  const bounds = { ofTpp: 200 * KB, ofAll: 500 * KB };

  it('finds room up to its bound, whatever others hold', () => {
    const books = booksOf();
    const counts = [TPP, OTHER].map((tpp) => filled(books, tpp, bounds));
    expect(counts[0]).toBeGreaterThan(15);
    expect(counts[1]).toBe(counts[0]);
    expect(books.state.holdings.bytesOf(TPP)).toBeLessThanOrEqual(bounds.ofTpp);
  });

  it('is bounded in all, and whoever holds little goes on for longer', () => {
    const books = booksOf();
    const wide = { ofTpp: 500 * KB, ofAll: 1_000 * KB };
    for (let i = 0; i < 40; i++) filled(books, `TPP ${i}`, wide);
    expect(books.state.holdings.bytes).toBeGreaterThan(wide.ofAll);
    expect(books.state.holdings.bytes).toBeLessThanOrEqual(1.25 * wide.ofAll);
    expect([0, 1, 2, 20].map((i) => books.state.holdings.bytesOf(`TPP ${i}`) > 0)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('takes the place of what has ended, the oldest first', () => {
    const books = booksOf();
    const ended = ['a', 'b', 'c', 'd'].map((id) => payment(id, { cancelledAt: NOON }));
    applyBankChanges(books.state, [payment('waiting'), ...ended]);
    const left = () => [...books.state.bankPayments.keys()];
    const leaving = roomFor(books.state, TPP, [payment('new')], NOON, { ofTpp: 55 * KB, ofAll: 500 * KB });
    applyBankChanges(books.state, leaving ?? []);
    expect(left()).toEqual(['waiting', 'c', 'd']);
    // Later it is looked through again, and not before.
    filled(books, TPP, bounds);
    applyBankChanges(books.state, [payment('waiting', { cancelledAt: NOON })]);
    expect(filled(books, TPP, bounds)).toBe(0);
    expect(filled(books, TPP, bounds, NOON + 10_001)).toBeGreaterThan(0);
  });

  it('takes the place of authorisations that nobody ended, of consents and payments that have', () => {
    const books = booksOf(aConsent({ id: 'deleted', end: { status: 'terminatedByTpp', at: NOON } }));
    const text = 'x'.repeat(10 * KB);
    const open = (id: string, of: BankAuthorisation['of'], resource: string) =>
      authorisationChange(anAuthorisation({ id, of, resource, redirectUri: `https://tpp.example/${text}` }));
    applyBankChanges(books.state, [
      open('of what waits', 'payment', 'waiting'),
      open('of a deleted consent', 'consent', 'deleted'),
      open('of a consent that has left', 'consent', 'left'),
      open('of a cancelled payment', 'payment', 'cancelled'),
      open('of its cancellation', 'cancellation', 'cancelled'),
      payment('waiting'),
      payment('cancelled', { cancelledAt: NOON }),
    ]);
    const leaving = roomFor(books.state, TPP, [payment('new')], NOON, { ofTpp: 35 * KB, ofAll: 500 * KB });
    applyBankChanges(books.state, leaving ?? []);
    expect([...books.state.bankAuthorisations.keys()]).toEqual(['of what waits']);
  });

  it('takes the place of tokens of consents that have ended', () => {
    const books = booksOf(
      aConsent(),
      aConsent({ id: 'deleted', end: { status: 'terminatedByTpp', at: NOON } }),
    );
    const give = (consent: string) =>
      giveTokens(
        books.state,
        { scope: `AIS:${consent}`, code: `code of ${consent} ${'x'.repeat(10 * KB)}`, changes: [] },
        { tpp: TPP, access: `access ${consent}`, refresh: `refresh ${consent}` },
        NOON,
      );
    applyBankChanges(books.state, [
      consentChange(aConsent({ scaAt: NOON, psu: 'psu-1' })),
      ...give('deleted'),
      ...give('consent-1'),
    ]);
    const leaving = roomFor(books.state, TPP, [payment('new')], NOON, { ofTpp: 40 * KB, ofAll: 500 * KB });
    applyBankChanges(books.state, leaving ?? []);
    expect([...books.state.bankTokens.keys()]).toEqual(['access consent-1', 'refresh consent-1']);
  });

  it('takes the place of what nobody authorised within a day', () => {
    const books = booksOf();
    applyBankChanges(books.state, [payment('abandoned'), payment('waiting', { createdAt: NOON + DAY })]);
    const room = (now: number) =>
      roomFor(books.state, TPP, [payment('new')], now, { ofTpp: 25 * KB, ofAll: 500 * KB });
    expect(room(NOON + DAY - 1)).toBe(null);
    applyBankChanges(books.state, room(NOON + DAY + 10_001) ?? []);
    expect([...books.state.bankPayments.keys()]).toEqual(['waiting']);
  });

  it('takes no money with it: of what was booked the statement stays', () => {
    const books = booksOf();
    const paid = Array.from({ length: 10 }, (_, i) =>
      payment(`paid ${i}`, { authorisedAt: NOON, dueAt: NOON, execution: booked }),
    );
    applyBankChanges(books.state, paid);
    const balance = bookedBalance(books, 'acc-1', NOON);
    const leaving = roomFor(books.state, TPP, [payment('new')], NOON, { ofTpp: 60 * KB, ofAll: 500 * KB });
    expect(leaving?.length).toBeGreaterThan(0);
    applyBankChanges(books.state, leaving ?? []);
    expect(bookedBalance(books, 'acc-1', NOON)).toBe(balance);
    expect(books.state.bankPayments.get('paid 0')?.body).toMatchObject({ creditorName: 'Fietsen Roeland' });
    expect(books.state.holdings.bytesOf(TPP)).toBeLessThan(60 * KB);
  });

  it('takes the long body of a payment along, and of what was booked nothing else', () => {
    const books = booksOf();
    const created = (id: string, given: Partial<BankPayment> = {}) =>
      newPayment(aPayment({ id, body: { ...aPayment().body, note: 'x'.repeat(10 * KB) }, ...given }));
    const paid = { authorisedAt: NOON, dueAt: NOON, execution: booked };
    applyBankChanges(books.state, [
      ...created('waiting'),
      ...created('cancelled', { cancelledAt: NOON }),
      ...created('paid', paid),
    ]);
    expect(books.state.holdings.bytesOf(TPP)).toBeGreaterThan(30 * KB);
    const left = () => [[...books.state.bankPayments.keys()], [...books.state.bankBodies.keys()]];
    const make = (ofTpp: number) => {
      const leaving = roomFor(books.state, TPP, created('new'), NOON, { ofTpp, ofAll: 500 * KB });
      applyBankChanges(books.state, leaving ?? []);
    };
    make(40 * KB);
    expect(left()).toEqual([
      ['waiting', 'paid'],
      ['waiting', 'paid'],
    ]);
    make(25 * KB);
    expect(left()).toEqual([['waiting', 'paid'], ['waiting']]);
    expect(books.state.bankPayments.get('paid')?.body).toEqual(aPayment().body);
  });

  it('weighs the same after a restart', () => {
    const books = booksOf(aConsent(), aConsent({ id: 'another', tpp: 'with "quotes" \\' }));
    filled(books, TPP, bounds);
    applyBankChanges(books.state, newPayment(aPayment({ body: text(10 * KB) })));
    const again = createBankState();
    for (const family of ['bankConsents', 'bankAuthorisations', 'bankPayments', 'bankBodies'] as const)
      for (const [key, fact] of books.state[family])
        applyBankText(again, { family, key, text: JSON.stringify(fact) });
    for (const tpp of [TPP, 'with "quotes" \\'])
      expect(again.holdings.bytesOf(tpp)).toBe(books.state.holdings.bytesOf(tpp));
    expect(again.holdings.bytes).toBe(books.state.holdings.bytes);
  });

  it('is measured anew with each change, and not at all once it is gone', () => {
    const { state } = booksOf();
    applyBankChanges(state, [payment('a'), payment('a', { body: {} }), consentChange(aConsent())]);
    expect(state.holdings.bytes).toBeLessThan(2 * KB);
    applyBankChanges(state, [
      { family: 'bankPayments', key: 'a', fact: null },
      { family: 'bankConsents', key: 'consent-1', fact: null },
    ]);
    expect([state.holdings.bytes, state.holdings.heaviest()]).toEqual([0, undefined]);
  });
});

describe('a TPP that refreshes in a loop', () => {
  it('loses old tokens of its own, and nobody else any', () => {
    const { state } = booksOf();
    const scope = 'PIS:payment-1';
    const give = (tpp: string, code: string, name: string) =>
      applyBankChanges(
        state,
        giveTokens(
          state,
          { scope, code, changes: [] },
          { tpp, access: `access ${name}`, refresh: `refresh ${name}` },
          NOON,
        ),
      );
    give(OTHER, 'its code', 'of another');
    for (let i = 0; i < 1_000; i++) give(TPP, 'a code', String(i));
    expect(state.bankTokens.size).toBe(42);
    const isGood = (token: string, tpp: string) =>
      !('problem' in exchangeRefreshToken(state, { token, tpp }, NOON + DAY));
    expect(isGood('refresh of another', OTHER)).toBe(true);
    expect([isGood('refresh 999', TPP), isGood('refresh 985', TPP), isGood('refresh 0', TPP)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
