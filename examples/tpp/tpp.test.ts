/** How a TPP tests itself: against what its bank said once, under today's dates, judged by every rule. */
import { fileURLToPath } from 'node:url';
import { type Gateway, type ReplayOptions, replaySession, startGateway } from 'sandgate/testing';
import 'sandgate/testing/vitest';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createConsent,
  deleteConsent,
  listAccounts,
  readBalances,
  readConsentStatus,
  readTransactions,
} from './account-information.js';
import { type Access, beginAuthorisation, refresh } from './authorisation.js';
import { BankRefusal, type BankSettings } from './connection.js';
import { confirmFunds } from './funds.js';
import { cancelPayment, createPayment, readPaymentStatus } from './payments.js';
import { authoriseAs } from './psu-browser.js';

const REDIRECT_URI = 'https://tpp.example/back';
const PSU_IP = '192.0.2.1';

/** Replays the cassette of this name; `RECORD=all npx vitest run examples` records them again. */
async function replay(name: string): Promise<Gateway> {
  const file = fileURLToPath(new URL(`cassettes/${name}.json`, import.meta.url));
  const mode = process.env.RECORD as ReplayOptions['mode'];
  const gateway = await replaySession(file, mode === undefined ? {} : { mode });
  onTestFinished(gateway.close);
  return gateway;
}

function bankAt(gateway: Gateway): BankSettings {
  const dispatcher = new Agent(gateway.agent('tpp'));
  onTestFinished(() => dispatcher.close());
  return { api: `${gateway.urls.api}/stdgroup/v1`, clientId: 'VALID_CLIENT_ID', dispatcher };
}

/** The PSU decides in the browser; the TPP takes over where the browser comes back. */
async function authorise(
  gateway: Gateway,
  bank: BankSettings,
  { scope, link, scenario = 'SCA_OK' }: { scope: string; link: string | null; scenario?: string },
): Promise<Access> {
  const browser = new Agent(gateway.agent(null));
  onTestFinished(() => browser.close());
  const pending = await beginAuthorisation(bank, { scope, link, redirectUri: REDIRECT_URI });
  return pending.finish(await authoriseAs(scenario, pending.url, browser));
}

const dayOf = (gateway: Gateway, days: number) =>
  new Date(gateway.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

const orderConsent = (gateway: Gateway) => ({
  redirectUri: REDIRECT_URI,
  validUntil: dayOf(gateway, 89),
  psuIp: PSU_IP,
});

describe('account information', () => {
  it('reads accounts, balances and transactions under a consent of the PSU', async () => {
    const gateway = await replay('account-information');
    const bank = bankAt(gateway);
    const consent = await createConsent(bank, orderConsent(gateway));
    const access = await authorise(gateway, bank, { scope: `AIS:${consent.id}`, link: consent.link });
    const reader = { consent, access, psuIp: PSU_IP };
    const accounts = await listAccounts(bank, reader);
    expect(accounts.map(({ resourceId }) => resourceId)).toContain('ACCOUNT_ID');
    const balances = await readBalances(bank, reader, 'ACCOUNT_ID');
    expect(balances.map(({ balanceType }) => balanceType)).toContain('closingBooked');
    const transactions = await readTransactions(bank, reader, 'ACCOUNT_ID', dayOf(gateway, -30));
    expect(transactions.every(({ bookingDate = '' }) => bookingDate >= dayOf(gateway, -31))).toBe(true);

    const later = { consent, access: await refresh(bank, access.refreshToken ?? '') };
    expect(await listAccounts(bank, later)).toEqual(accounts);
    await deleteConsent(bank, consent);

    expect(gateway).toComply();
    expect(gateway).toStayWithinDailyLimit();
    expect(gateway).toFollow([
      'consents.create',
      'oauth.discovery',
      'oauth.authorize',
      'oauth.token',
      'accounts.list',
      'accounts.balances',
      'accounts.transactions',
      'oauth.token',
      'accounts.list',
      'consents.delete',
    ]);
    expect(gateway).toHaveUsedWholeRecording();
  });

  it('takes no for an answer when the PSU cancels', async () => {
    const gateway = await replay('cancelled-by-psu');
    const bank = bankAt(gateway);
    const consent = await createConsent(bank, orderConsent(gateway));
    const scope = `AIS:${consent.id}`;
    const refused = authorise(gateway, bank, { scope, link: consent.link, scenario: 'SCA_CANCEL' });
    await expect(refused).rejects.toMatchObject({ error: 'access_denied' });
    expect(gateway).toComply();
    expect(gateway).toHaveUsedWholeRecording();
  });
});

describe('payments', () => {
  it('initiates a payment, follows its status, and cancels it', async () => {
    const gateway = await replay('payment');
    const bank = bankAt(gateway);
    const payment = await createPayment(bank, {
      amount: '123.50',
      debtorIban: 'BE14983120441783',
      creditorIban: 'BE86986509812450',
      creditorName: 'Jane Doe',
      redirectUri: REDIRECT_URI,
      psuIp: PSU_IP,
    });
    expect(payment.status).toBe('RCVD');
    await authorise(gateway, bank, { scope: `PIS:${payment.id}`, link: payment.link });
    expect(await readPaymentStatus(bank, payment)).toBe('RCVD');
    await cancelPayment(bank, payment);
    expect(gateway).toComply();
    expect(gateway).toFollow(['payments.create', 'oauth.token', 'payments.status', 'payments.cancel']);
    expect(gateway).toHaveUsedWholeRecording();
  });
});

describe('funds', () => {
  it('asks whether an amount is there', async () => {
    const gateway = await replay('funds');
    const bank = bankAt(gateway);
    expect(await confirmFunds(bank, 'BE67983610020587', '1500.00')).toBe(true);
    expect(await confirmFunds(bank, 'BE67983610020587', '1500.01')).toBe(false);
    await expect(confirmFunds(bank, 'BE14983120441783', '1.00')).rejects.toThrow('NO_PIIS_ACTIVATION');
    expect(gateway).toComply();
    expect(gateway).toHaveUsedWholeRecording();
  });
});

describe('without a recording', () => {
  it('the emulator answers what no bank can be asked for: a fifth read in a day, and one on the next', async () => {
    const gateway = await startGateway();
    onTestFinished(gateway.close);
    const bank = bankAt(gateway);
    const consent = await createConsent(bank, orderConsent(gateway));
    const access = await authorise(gateway, bank, { scope: `AIS:${consent.id}`, link: consent.link });
    const atNight = { consent, access };
    for (let read = 1; read <= 4; read++) await listAccounts(bank, atNight);
    expect(gateway).toStayWithinDailyLimit();
    await expect(listAccounts(bank, atNight)).rejects.toThrow(BankRefusal);
    expect(gateway).toHaveFinding('accounts/within-daily-limit');

    gateway.clock.advance('1d');
    const nextDay = { consent, access: await refresh(bank, access.refreshToken ?? '') };
    expect(await listAccounts(bank, nextDay)).not.toEqual([]);
    expect(await readConsentStatus(bank, consent)).toBe('valid');
  });
});
