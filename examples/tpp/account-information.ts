/** Account information: a consent of the PSU, then accounts, balances and transactions under it. */
import * as z from 'zod';
import { type Access, linkOf, links } from './authorisation.js';
import { BankAway, type BankSettings, callBank, psuHeaders } from './connection.js';

export interface Consent {
  readonly id: string;
  /** Leads to the PSU's authorisation; null where the bank wants it started by a call. */
  readonly link: string | null;
}

export interface ConsentOrder {
  readonly redirectUri: string;
  /** Last day, YYYY-MM-DD; 90 days from now at most. */
  readonly validUntil: string;
  readonly psuIp: string;
  /** Which accounts; all of them where it is absent. Empty lists: the PSU chooses at the bank. */
  readonly access?: object;
  readonly explicit?: boolean;
}

/** What a read needs: the consent, the access to it, and the PSU's address while the PSU is asking. */
export interface AccountReader {
  readonly consent: Pick<Consent, 'id'>;
  readonly access: Access;
  readonly psuIp?: string;
}

const amount = z.object({ currency: z.string(), amount: z.string().regex(/^-?\d{1,15}(?:\.\d{1,3})?$/) });
const account = z.object({
  resourceId: z.string().min(1),
  iban: z.string().optional(),
  currency: z.string(),
  name: z.string().optional(),
  /** What the consent lets see of it. */
  _links: z.object({ balances: z.object({}).optional(), transactions: z.object({}).optional() }).optional(),
});
const balance = z.object({ balanceType: z.string(), balanceAmount: amount });
const transaction = z.object({
  transactionId: z.string().optional(),
  bookingDate: z.string().optional(),
  transactionAmount: amount,
  creditorName: z.string().optional(),
  debtorName: z.string().optional(),
  remittanceInformationUnstructured: z.string().optional(),
});
export type Amount = z.infer<typeof amount>;
export type Account = z.infer<typeof account>;
export type Balance = z.infer<typeof balance>;
export type Transaction = z.infer<typeof transaction>;

const created = z.object({ consentId: z.string().min(1), _links: links });
const told = z.object({ consentStatus: z.string() });
const accountList = z.object({ accounts: z.array(account) });
const balanceList = z.object({ balances: z.array(balance).min(1) });
const page = z.object({
  transactions: z.object({
    booked: z.array(transaction),
    _links: z.object({ next: z.object({ href: z.string() }).optional() }).optional(),
  }),
});

export async function createConsent(bank: BankSettings, order: ConsentOrder): Promise<Consent> {
  const answer = await callBank(bank, {
    method: 'POST',
    path: '/consents',
    headers: {
      'TPP-Redirect-URI': order.redirectUri,
      'TPP-Explicit-Authorisation-Preferred': String(order.explicit ?? false),
      ...psuHeaders(order.psuIp),
    },
    json: {
      access: order.access ?? { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: order.validUntil,
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
    answers: created,
  });
  return { id: answer.consentId, link: linkOf(answer) };
}

export const pathOfConsent = ({ id }: Pick<Consent, 'id'>): string => `/consents/${id}`;

export async function readConsentStatus(bank: BankSettings, consent: Pick<Consent, 'id'>): Promise<string> {
  const { consentStatus } = await callBank(bank, {
    path: `${pathOfConsent(consent)}/status`,
    answers: told,
  });
  return consentStatus;
}

export async function deleteConsent(bank: BankSettings, consent: Pick<Consent, 'id'>): Promise<void> {
  await callBank(bank, { method: 'DELETE', path: pathOfConsent(consent), answers: z.unknown() });
}

export async function listAccounts(bank: BankSettings, reader: AccountReader): Promise<readonly Account[]> {
  const { accounts } = await read(bank, reader, '/accounts', accountList);
  return accounts;
}

export async function readBalances(
  bank: BankSettings,
  reader: AccountReader,
  id: string,
): Promise<readonly Balance[]> {
  const { balances } = await read(bank, reader, `/accounts/${id}/balances`, balanceList);
  return balances;
}

const MOST_PAGES = 100;

/** The booked ones since a day (YYYY-MM-DD): all pages, or none. */
export async function readTransactions(
  bank: BankSettings,
  reader: AccountReader,
  id: string,
  dateFrom: string,
): Promise<readonly Transaction[]> {
  const query = new URLSearchParams({ dateFrom, bookingStatus: 'booked' });
  const visited = new Set<string>();
  const found = new Map<string | Transaction, Transaction>();
  for (let next: string | undefined = `/accounts/${id}/transactions?${query}`; next !== undefined; ) {
    if (visited.has(next) || visited.size === MOST_PAGES)
      throw new BankAway('The pages of the bank lead in a circle.');
    visited.add(next);
    const { transactions }: z.infer<typeof page> = await read(bank, reader, next, page);
    // A posting that moves from one page to the next meanwhile is told twice.
    for (const one of transactions.booked) found.set(one.transactionId ?? one, one);
    next = transactions.booked.length === 0 ? undefined : transactions._links?.next?.href;
  }
  return [...found.values()];
}

function read<T>(
  bank: BankSettings,
  { consent, access, psuIp }: AccountReader,
  path: string,
  answers: z.ZodType<T>,
): Promise<T> {
  return callBank(bank, {
    path,
    headers: { Authorization: `Bearer ${access.token}`, 'Consent-Id': consent.id, ...psuHeaders(psuIp) },
    answers,
  });
}
