/** What one user has at the bank: a consent with its access, and payments; and the journeys there that are not over. */
import {
  type Account,
  type AccountReader,
  type Balance,
  type Consent,
  createConsent,
  deleteConsent,
  listAccounts,
  readBalances,
  readTransactions,
  type Transaction,
} from '../account-information.js';
import { type Access, beginAuthorisation, type PendingAuthorisation, refresh } from '../authorisation.js';
import type { BankSettings } from '../connection.js';
import { createPayment, type Payment, type PaymentOrder, readPaymentStatus } from '../payments.js';

export interface AccountView extends Account {
  readonly balances: readonly Balance[];
}

export interface PaymentView {
  readonly payment: Payment;
  readonly order: PaymentOrder;
  /** As the bank told it last. */
  readonly status: string;
}

export interface LinkedBank {
  readonly isLinked: () => boolean;
  /** Where the PSU gives access. */
  readonly link: (from: { readonly validUntil: string; readonly psuIp: string }) => Promise<URL>;
  /** Where the PSU authorises the payment. */
  readonly pay: (order: PaymentOrder) => Promise<URL>;
  /** The PSU has come back at this address. Throws where it is of no journey of this user, or was no success. */
  readonly cameBack: (returned: URL) => Promise<void>;
  /** `psuIp`: the user is asking. Rejects with a `BankRefusal` where the access is over. */
  readonly accounts: (psuIp: string) => Promise<readonly AccountView[]>;
  readonly transactions: (
    account: string,
    dateFrom: string,
    psuIp: string,
  ) => Promise<readonly Transaction[]>;
  readonly payments: () => Promise<readonly PaymentView[]>;
  /** Gives the access back. */
  readonly revoke: () => Promise<void>;
  /** The bank has ended it. */
  readonly forget: () => void;
}

interface Journey {
  readonly pending: PendingAuthorisation;
  readonly onSuccess: (access: Access) => void;
}

interface Link {
  readonly consent: Consent;
  readonly access: Access;
  /** Epoch ms. */
  readonly expiresAt: number;
}

const MOST_JOURNEYS = 20;
/** A token is replaced so many ms before its end: a call that uses it is on its way for a while. */
const EARLY_MS = 60_000;

export function createLinkedBank(bank: BankSettings, redirectUri: string, now: () => number): LinkedBank {
  /** By `state`, which only the browser of this user was given. */
  const journeys = new Map<string, Journey>();
  /** States that came back already: a browser may load an address again. */
  const finished = new Set<string>();
  const payments: PaymentView[] = [];
  let linked: Link | null = null;
  const linkTo = (consent: Consent, access: Access): Link => ({
    ...{ consent, access },
    expiresAt: now() + access.expiresIn * 1_000,
  });

  async function begin(scope: string, link: string, onSuccess: (access: Access) => void): Promise<URL> {
    const pending = await beginAuthorisation(bank, { scope, link, redirectUri });
    const [oldest] = journeys.keys();
    if (journeys.size >= MOST_JOURNEYS && oldest !== undefined) journeys.delete(oldest);
    journeys.set(pending.url.searchParams.get('state') ?? '', { pending, onSuccess });
    return pending.url;
  }

  async function readerFor(psuIp: string): Promise<AccountReader> {
    if (linked === null) throw new Error('No bank is linked.');
    const { refreshToken } = linked.access;
    if (now() > linked.expiresAt - EARLY_MS && refreshToken !== undefined)
      linked = linkTo(linked.consent, await refresh(bank, refreshToken));
    return { ...linked, psuIp };
  }

  return {
    isLinked: () => linked !== null,
    link: async ({ validUntil, psuIp }) => {
      const access = { accounts: [], balances: [], transactions: [] };
      const consent = await createConsent(bank, { redirectUri, validUntil, psuIp, access });
      return begin(`AIS:${consent.id}`, consent.link, (access) => {
        linked = linkTo(consent, access);
      });
    },
    pay: async (order) => {
      const payment = await createPayment(bank, order);
      payments.unshift({ payment, order, status: payment.status });
      return begin(`PIS:${payment.id}`, payment.link, () => undefined);
    },
    cameBack: async (returned) => {
      const state = returned.searchParams.get('state') ?? '';
      if (finished.has(state)) return;
      const journey = journeys.get(state);
      if (journey === undefined) throw new Error('This journey is over, or was never begun here.');
      journeys.delete(state);
      journey.onSuccess(await journey.pending.finish(returned));
      if (finished.size >= MOST_JOURNEYS) finished.clear();
      finished.add(state);
    },
    accounts: async (psuIp) => {
      const reader = await readerFor(psuIp);
      const accounts = await listAccounts(bank, reader);
      return Promise.all(
        accounts.map(async (account) => ({
          ...account,
          balances:
            account._links?.balances === undefined
              ? []
              : await readBalances(bank, reader, account.resourceId),
        })),
      );
    },
    transactions: async (account, dateFrom, psuIp) =>
      readTransactions(bank, await readerFor(psuIp), account, dateFrom),
    payments: async () => {
      // What the bank told last stays while it does not answer.
      for (const [at, { payment, order, status }] of payments.entries())
        payments[at] = { payment, order, status: await readPaymentStatus(bank, payment).catch(() => status) };
      return payments;
    },
    revoke: async () => {
      if (linked !== null) await deleteConsent(bank, linked.consent);
      linked = null;
    },
    forget: () => {
      linked = null;
    },
  };
}
