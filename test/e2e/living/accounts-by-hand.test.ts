/** Accounts that an operator or a test books on, closes, blocks or gives another IBAN: what TPPs read then, and the true books. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPopulation } from '../../../src/bank/index.js';
import { bankDateAt } from '../../../src/spec/index.js';
import type { TestBank } from '../../../src/testing/bank-types.js';
import { testBankOf } from '../../../src/testing/test-bank.js';
import { folderOfFile } from '../../folder.js';
import { DAY_MS } from '../harness.js';
import { type Linked, type LivingTpp, startLivingBank } from '../living.js';

const OWN = createPopulation({ seed: 42, count: 10 }).accountsOf('psu-1');
const [first, second] = OWN as [(typeof OWN)[number], (typeof OWN)[number]];
const TPP_ID = 'PSDBE-NBB-0123456789';

let tpp: LivingTpp;
let bank: TestBank;
let linked: Linked;
const store = join(folderOfFile(), 'sandgate.db');
beforeAll(async () => {
  tpp = await startLivingBank({ store });
  bank = testBankOf(tpp.gateway.app.bank.common);
  linked = await tpp.linked();
});
afterAll(() => tpp.gateway.close());

const admin = (path: string, json?: object) =>
  tpp.gateway.call(`/api/bank${path}`, { side: 'admin', ...(json === undefined ? {} : { json }) });
const read = (path: string) => tpp.ask(`GET ${path}`, { consent: linked.id, token: linked.token });
const entries = async (account: string) =>
  (
    await read(
      `/accounts/${account}/transactions?bookingStatus=both&dateFrom=${bankDateAt(tpp.gateway.now() - 20 * DAY_MS)}`,
    )
  ).json.transactions;
const cents = (amount: string) => Math.round(Number(amount) * 100);

describe('what is booked by hand', () => {
  it('stands in balance and entries, on the day that is asked for', async () => {
    const account = bank.account(first.iban);
    const before = account.books();
    const day = bankDateAt(tpp.gateway.now() - 5 * DAY_MS);
    await account.book({ amount: '-12.50', text: 'Correction', date: day });
    const after = await account.book({ amount: '100.00', text: 'Gift' });
    expect(cents(after.balance) - cents(before.balance)).toBe(8750);
    expect(after.transactions.count - before.transactions.count).toBe(2);
    const { booked } = await entries(first.resourceId);
    const own = booked.filter(({ transactionId }: { transactionId: string }) => /-hand-/.test(transactionId));
    expect(
      own.map((one: Record<string, unknown>) => [one.bookingDate, one.remittanceInformationUnstructured]),
    ).toEqual([
      [bankDateAt(tpp.gateway.now()), 'Gift'],
      [day, 'Correction'],
    ]);
  });

  it('in another currency is exchanged, and tells so', async () => {
    const { json } = await admin(`/accounts/${second.resourceId}/book`, {
      ...{ amount: '-10.80', currency: 'USD', text: 'Books' },
    });
    expect(json.transactions.booked[0]).toMatchObject({
      transactionAmount: { currency: 'EUR', amount: '-10.00' },
      currencyExchange: [{ sourceCurrency: 'USD', targetCurrency: 'EUR', exchangeRate: '0.92593' }],
    });
  });

  it('and pending lessens what is available, until its day', async () => {
    const account = bank.account(second.iban);
    const before = account.books();
    const date = bankDateAt(tpp.gateway.now() + 2 * DAY_MS);
    const held = await account.book({ amount: '-20.00', text: 'Hotel', pending: true, date });
    expect([held.balance, cents(before.available) - cents(held.available)]).toEqual([before.balance, 2000]);
    expect(held.transactions.pending.map(({ remittanceInformationUnstructured: text }) => text)).toEqual([
      'Hotel',
    ]);
    tpp.gateway.move(2 * DAY_MS);
    expect(account.books().transactions.pending).toEqual([]);
    const { booked } = account.books().transactions;
    expect(booked.some(({ remittanceInformationUnstructured: text }) => text === 'Hotel')).toBe(true);
  });

  it.each([
    [{ amount: '1.234', text: 'x' }, 409, '1.234 is no amount of EUR.'],
    [{ amount: '1.00', text: 'x', date: '2999-01-01' }, 409, 'add pending'],
    [{ amount: '1.00', text: 'x', date: '1999-01-01' }, 409, 'has books from'],
    [{ amount: '1.00', text: 'x', currency: 'XXX' }, 409, 'does not exchange'],
    [{ amount: '1.00', txt: 'x' }, 400, 'txt'],
  ])('%j is refused (%i)', async (body, status, text) => {
    const answer = await admin(`/accounts/${first.resourceId}/book`, body);
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(text)]);
  });

  it('on an account that the bank has not is 404 with the nearest', async () => {
    const answer = await admin('/accounts/acc-1-9/book', { amount: '1.00', text: 'x' });
    expect([answer.status, answer.json.error]).toEqual([404, expect.stringContaining('acc-1-')]);
  });
});

describe('an account', () => {
  it('that is blocked takes no payment until it is unblocked', async () => {
    const account = bank.account(first.iban);
    expect((await account.block()).status).toBe('blocked');
    const pay = () =>
      tpp.ask('POST /payments/sepa-credit-transfers', {
        headers: { 'TPP-Redirect-URI': 'https://tpp.example/back' },
        json: {
          instructedAmount: { currency: 'EUR', amount: '1.00' },
          debtorAccount: { iban: first.iban },
          creditorAccount: { iban: 'BE86986509812450' },
          creditorName: 'Fietsenatelier Roeland',
        },
      });
    expect((await pay()).codes).toEqual(['RESOURCE_BLOCKED']);
    await expect(account.block()).rejects.toThrow('The account is blocked, which block does not change');
    await account.unblock();
    expect((await pay()).status).toBe(201);
  });

  it('that is closed keeps its last balance, and goes on where it is opened again', async () => {
    const account = bank.account(second.iban);
    const { balance } = await account.close();
    tpp.gateway.move(60 * DAY_MS);
    expect(account.books()).toMatchObject({ status: 'deleted', balance });
    await expect(account.book({ amount: '1.00', text: 'Late' })).rejects.toThrow('reopen it');
    await account.reopen();
    expect(account.books().status).toBe('enabled');
    tpp.gateway.move(-60 * DAY_MS);
  });

  it('that gets another IBAN is found by both, and shows the new one', async () => {
    const account = bank.account(first.iban);
    const { iban, formerIbans, resourceId } = await account.changeIban();
    expect([iban === first.iban, formerIbans]).toEqual([false, [first.iban]]);
    expect([bank.account(iban), bank.account(first.iban)].map((one) => one.books().resourceId)).toEqual([
      resourceId,
      resourceId,
    ]);
    linked = await tpp.linked();
    expect((await read(`/accounts/${resourceId}/balances`)).json.account.iban).toBe(iban);
    await expect(account.changeIban(second.iban)).rejects.toThrow('is that of an account');
    await expect(account.changeIban('BE00')).rejects.toThrow('is no IBAN');
  });
});

describe('the true books', () => {
  it('are what the TPP reads', async () => {
    const { accounts, consents } = bank.books({
      tpp: TPP_ID,
      dateFrom: bankDateAt(tpp.gateway.now() - 20 * DAY_MS),
    });
    expect(consents).toContainEqual({ consentId: linked.id, status: 'valid', psu: 'psu-1' });
    expect(accounts.map(({ resourceId }) => resourceId)).toEqual(OWN.map(({ resourceId }) => resourceId));
    for (const { resourceId, balance, transactions, sum } of accounts) {
      const { booked } = await entries(resourceId);
      expect(booked).toHaveLength(transactions);
      const amounts = booked.map(({ transactionAmount }: { transactionAmount: { amount: string } }) =>
        cents(transactionAmount.amount),
      );
      expect(amounts.reduce((all: number, one: number) => all + one, 0)).toBe(cents(sum));
      const { balances } = (await read(`/accounts/${resourceId}/balances`)).json;
      const interim = balances.find(
        ({ balanceType }: { balanceType: string }) => balanceType === 'interimBooked',
      );
      expect(interim.balanceAmount.amount).toBe(balance);
    }
  });

  it('of a PSU have its payments by their endToEndIdentification, and are given by the API too', async () => {
    const ofPsu = bank.books({ psu: 'psu-1' });
    const { json } = await admin('/books?psu=psu-1');
    expect(json).toEqual(ofPsu);
    expect(bank.books().accounts).toEqual([]);
  });
});

it('what was done by hand is there again after a restart, and is noted', async () => {
  const before = bank.account(first.resourceId).books();
  const [session] = await tpp.gateway.app.store.sessions();
  const actions = session?.notes.flatMap(({ settings }) => ('action' in settings ? [settings.action] : []));
  expect(new Set(actions)).toEqual(new Set(['book', 'block', 'unblock', 'close', 'reopen', 'change-iban']));
  await tpp.gateway.close();
  tpp = await startLivingBank({ store });
  bank = testBankOf(tpp.gateway.app.bank.common);
  const { iban, formerIbans } = bank.account(first.resourceId).books();
  expect([iban, formerIbans]).toEqual([before.iban, before.formerIbans]);
});
