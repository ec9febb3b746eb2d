import { describe, expect, it } from 'vitest';
import { DAY, NOON } from '../../bank/a-bank.js';
import { errorOf, jsonOf } from '../an-emulator.js';
import { aLivingBank, type LivingBankUnderTest } from './a-living-bank.js';

const IBAN = 'BE68539007547034';
/** What the account holds at noon: a unit a day since 1970. */
const HELD = Math.floor(NOON / DAY) + 1;

function ask(bank: LivingBankUnderTest, amount: string, account: object = { iban: IBAN }, currency = 'EUR') {
  return bank.ask({
    operation: 'funds-confirmations.create',
    body: { account, instructedAmount: { currency, amount } },
  });
}
const pay = (bank: LivingBankUnderTest, { amount, date }: { amount: string; date?: string }) =>
  bank.ask({
    operation: 'payments.create',
    headers: { 'PSU-IP-Address': '192.0.2.7', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
    body: {
      instructedAmount: { currency: 'EUR', amount },
      debtorAccount: { iban: IBAN },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Fietsen Roeland',
      ...(date === undefined ? {} : { requestedExecutionDate: date }),
    },
  });
const confirmed = (...asked: Parameters<typeof ask>) => jsonOf(ask(...asked)).fundsAvailable;

describe('funds confirmation', () => {
  it('asks the real balance, to the cent, on the day', () => {
    const bank = aLivingBank();
    expect(confirmed(bank, `${HELD}.00`)).toBe(true);
    expect(confirmed(bank, `${HELD}.01`)).toBe(false);
    bank.now += DAY;
    expect(confirmed(bank, `${HELD}.01`)).toBe(true);
    expect(bank.findings).toEqual([]);
  });

  it('knows what is authorised and not yet booked', () => {
    const bank = aLivingBank();
    const created = pay(bank, { amount: '1.00' });
    expect(confirmed(bank, `${HELD}.00`)).toBe(true);
    bank.sca(jsonOf(created)._links.scaStatus.href.split('/').at(-1), 'psu-1');
    expect(confirmed(bank, `${HELD}.00`)).toBe(false);
    expect(confirmed(bank, `${HELD - 1}.00`)).toBe(true);
  });

  it('asks for what a payment without cover leaves: all of it, as that is rejected at its authorisation', () => {
    const bank = aLivingBank();
    const answer = pay(bank, { amount: '9999999.00' });
    const { paymentId, _links } = jsonOf(answer);
    bank.sca(_links.scaStatus.href.split('/').at(-1), 'psu-1');
    const status = bank.ask({ operation: 'payments.status', params: { paymentId } });
    expect(jsonOf(status)).toEqual({
      transactionStatus: 'RJCT',
      psuMessage: expect.stringContaining('AM04'),
    });
    expect(confirmed(bank, `${HELD}.00`)).toBe(true);
  });

  it('asks for what is there on its day where a payment for that day has no cover, which waits for it', () => {
    const bank = aLivingBank();
    const { paymentId, _links } = jsonOf(pay(bank, { amount: '9999999.00', date: '2026-03-04' }));
    bank.sca(_links.scaStatus.href.split('/').at(-1), 'psu-1');
    const status = () => jsonOf(bank.ask({ operation: 'payments.status', params: { paymentId } }));
    bank.now = Date.parse('2026-03-04T00:30:00Z');
    expect(status()).toEqual({ transactionStatus: 'ACTC' });
    expect(confirmed(bank, `${HELD + 2}.00`)).toBe(true);
    bank.now = Date.parse('2026-03-04T15:00:00Z');
    expect(status()).toMatchObject({
      transactionStatus: 'RJCT',
      psuMessage: expect.stringContaining('AM04'),
    });
  });

  it('is false in another currency, and refused for an account that has no consent for it', () => {
    const bank = aLivingBank();
    expect(confirmed(bank, '1.00', { iban: IBAN }, 'USD')).toBe(false);
    for (const account of [
      { iban: 'DE89370400440532013000' },
      { iban: 'BE91096123456700' },
      { iban: IBAN, currency: 'USD' },
    ])
      expect(errorOf(ask(bank, '1.00', account))).toBe('400 NO_PIIS_ACTIVATION');
  });

  it('answers the test account of the specification as the sandbox bank does', () => {
    const bank = aLivingBank();
    expect(confirmed(bank, '1500.00', { iban: 'BE67983610020587' })).toBe(true);
    expect(confirmed(bank, '1500.01', { iban: 'BE67983610020587' })).toBe(false);
  });
});
