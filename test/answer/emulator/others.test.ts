import { describe, expect, it } from 'vitest';
import { TPP } from '../../builders.js';
import { anEmulator, DATA, errorOf, jsonOf } from '../an-emulator.js';

const { ask } = anEmulator();
const funds = (instructedAmount: unknown, account: unknown = { iban: DATA.funds.iban }) =>
  ask({ operation: 'funds-confirmations.create', body: { account, instructedAmount } });

describe('funds confirmation', () => {
  it.each([
    ['0.01', true],
    ['1000', true],
    ['1499.999', true],
    ['1500.00', true],
    ['1500.001', false],
    ['99999999999999.999', false],
  ])('of %s EUR is %s, with balance 1000 and overdraft 500', (amount, fundsAvailable) => {
    expect([DATA.funds.balance, DATA.funds.overdraft]).toEqual(['1000.00', '500.00']);
    expect(jsonOf(funds({ currency: 'EUR', amount }))).toEqual({ fundsAvailable });
  });

  it('has nothing in another currency', () => {
    expect(jsonOf(funds({ currency: 'USD', amount: '1' }))).toEqual({ fundsAvailable: false });
  });

  it('takes the IBAN as people write it', () => {
    const spaced = DATA.funds.iban.toLowerCase().replace(/(.{4})/g, '$1 ');
    expect(jsonOf(funds({ currency: 'EUR', amount: '1' }, { iban: spaced }))).toEqual({
      fundsAvailable: true,
    });
  });

  it.each([
    { iban: DATA.accounts.accounts[0]?.iban },
    { iban: DATA.funds.iban, currency: 'USD' },
    { bban: '983610020587' },
  ])('is not activated for %j', (account) => {
    expect(errorOf(funds({ currency: 'EUR', amount: '1' }, account))).toBe('400 NO_PIIS_ACTIVATION');
  });

  it.each(['BE00', 'BE67983610020588', 'BE6798361002058'])('needs an IBAN, not "%s"', (iban) => {
    const answer = funds({ currency: 'EUR', amount: '1' }, { iban });
    expect([errorOf(answer), jsonOf(answer).tppMessages[0].path]).toEqual([
      '400 FORMAT_ERROR',
      'account.iban',
    ]);
  });

  it.each([
    [{ currency: 'EUR', amount: 5 }],
    [{ currency: 'EUR', amount: '-5' }],
    [{ currency: 'EUR', amount: '5,00' }],
    [{ amount: '5' }],
    [null],
  ])('needs an amount, not %j', (amount) => {
    expect(errorOf(funds(amount))).toBe('400 FORMAT_ERROR');
  });
});

describe('the simulation of a notification', () => {
  const body = {
    paymentId: 'PAYMENT_ID_RCVD_SCT',
    tppNotificationUri: 'http://localhost:9000/cb',
    status: 'ACSC',
  };
  const simulate = (emulator: ReturnType<typeof anEmulator>, change: object = {}) =>
    emulator.ask({ operation: 'notifications.simulate', body: { ...body, ...change } });

  it('is answered at once and handed on to be called back', () => {
    const emulator = anEmulator();
    const answer = simulate(emulator);
    expect(answer.status).toBe(202);
    expect(jsonOf(answer)).toEqual({});
    expect(emulator.callbacks).toEqual([
      { uri: body.tppNotificationUri, paymentId: body.paymentId, transactionStatus: 'ACSC', tpp: TPP },
    ]);
  });

  it.each([
    [{ status: 'DONE' }],
    [{ status: 'toString' }],
    [{ tppNotificationUri: '/cb' }],
    [{ tppNotificationUri: 'ftp://localhost/' }],
    [{ paymentId: '' }],
    [{ paymentId: 7 }],
  ])('is refused with %j, and nothing is called', (change) => {
    const emulator = anEmulator();
    expect(errorOf(simulate(emulator, change))).toBe('400 FORMAT_ERROR');
    expect(emulator.callbacks).toEqual([]);
  });

  it('says why a callback is not taken', () => {
    const refused = simulate(anEmulator({ refusal: { kind: 'address', reason: 'not on the list' } }));
    expect(jsonOf(refused).tppMessages).toEqual([
      { category: 'ERROR', code: 'FORMAT_ERROR', text: 'not on the list', path: 'tppNotificationUri' },
    ]);
    const busy = simulate(anEmulator({ refusal: { kind: 'busy', reason: 'too many' } }));
    expect(errorOf(busy)).toBe('503 SERVICE_UNAVAILABLE');
  });
});
