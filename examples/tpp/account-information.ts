/** Account information: a consent of the PSU, then accounts, balances and transactions under it. */
import type { Access } from './authorisation.js';
import { type BankSettings, callBank, type Links, linkIn, psuHeaders } from './connection.js';

export interface Consent {
  readonly id: string;
  /** Leads to the PSU's authorisation. */
  readonly link: string;
}

export interface ConsentOrder {
  readonly redirectUri: string;
  /** Last day, YYYY-MM-DD; 90 days from now at most. */
  readonly validUntil: string;
  readonly psuIp: string;
  /** Which accounts; all of them where it is absent. Empty lists: the PSU chooses at the bank. */
  readonly access?: object;
}

/** What a read needs: the consent, the access to it, and the PSU's address while the PSU is asking. */
export interface AccountReader {
  readonly consent: Consent;
  readonly access: Access;
  readonly psuIp?: string;
}

export interface Amount {
  readonly amount: string;
  readonly currency: string;
}
export interface Account {
  readonly resourceId: string;
  readonly iban?: string;
  readonly currency: string;
  readonly name?: string;
  /** What the consent lets see of it. */
  readonly _links?: { readonly balances?: object; readonly transactions?: object };
}
export interface Balance {
  readonly balanceType: string;
  readonly balanceAmount: Amount;
}
export interface Transaction {
  readonly transactionId?: string;
  readonly bookingDate?: string;
  readonly transactionAmount: Amount;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
}

export async function createConsent(bank: BankSettings, order: ConsentOrder): Promise<Consent> {
  const created = await callBank<{ consentId: string } & Links>(bank, {
    method: 'POST',
    path: '/consents',
    headers: {
      'TPP-Redirect-URI': order.redirectUri,
      'TPP-Explicit-Authorisation-Preferred': 'false',
      ...psuHeaders(order.psuIp),
    },
    json: {
      access: order.access ?? { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: order.validUntil,
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  return { id: created.consentId, link: linkIn(created) };
}

export async function readConsentStatus(bank: BankSettings, { id }: Consent): Promise<string> {
  const { consentStatus } = await callBank<{ consentStatus: string }>(bank, {
    path: `/consents/${id}/status`,
  });
  return consentStatus;
}

export async function deleteConsent(bank: BankSettings, { id }: Consent): Promise<void> {
  await callBank(bank, { method: 'DELETE', path: `/consents/${id}` });
}

export async function listAccounts(bank: BankSettings, reader: AccountReader): Promise<readonly Account[]> {
  const { accounts } = await read<{ accounts: Account[] }>(bank, reader, '/accounts');
  return accounts;
}

export async function readBalances(
  bank: BankSettings,
  reader: AccountReader,
  account: string,
): Promise<readonly Balance[]> {
  const { balances } = await read<{ balances: Balance[] }>(bank, reader, `/accounts/${account}/balances`);
  return balances;
}

/** The booked ones since a day (YYYY-MM-DD). */
export async function readTransactions(
  bank: BankSettings,
  reader: AccountReader,
  account: string,
  dateFrom: string,
): Promise<readonly Transaction[]> {
  const query = new URLSearchParams({ dateFrom, bookingStatus: 'booked' });
  const { transactions } = await read<{ transactions: { booked: Transaction[] } }>(
    bank,
    reader,
    `/accounts/${account}/transactions?${query}`,
  );
  return transactions.booked;
}

function read<T>(bank: BankSettings, { consent, access, psuIp }: AccountReader, path: string): Promise<T> {
  return callBank<T>(bank, {
    path,
    headers: { Authorization: `Bearer ${access.token}`, 'Consent-Id': consent.id, ...psuHeaders(psuIp) },
  });
}
