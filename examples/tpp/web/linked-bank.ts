/** What one user has at the bank: a consent with its access, what was read under it, and the journeys there that are not over. */
import {
  type Account,
  type AccountReader,
  type Balance,
  type Consent,
  createConsent,
  deleteConsent,
  listAccounts,
  readBalances,
  readConsentStatus,
  readTransactions,
  type Transaction,
} from '../account-information.js';
import { type Access, beginAuthorisation, refresh } from '../authorisation.js';
import { BankAway, BankRefusal, type BankSettings, Problem } from '../connection.js';
import { createOrders, type Orders } from './orders.js';

export interface AccountView extends Account {
  readonly balances: readonly Balance[];
  readonly transactions: readonly Transaction[];
}

export interface LinkedBankParts {
  readonly bank: BankSettings;
  /** Address of this application, as browsers see it: `http://localhost:3000`. */
  readonly origin: () => string;
  /** Epoch ms. */
  readonly now: () => number;
  /** Whether authorisations are asked for that a call of their own starts. */
  readonly explicit?: () => boolean;
}

export interface LinkedBank {
  readonly isLinked: () => boolean;
  /** Where the PSU gives access. */
  readonly link: (psuIp: string) => Promise<URL>;
  readonly orders: Pick<Orders, 'all' | 'refresh' | 'refreshOne'>;
  /** Where the PSU authorises the payment. */
  readonly pay: (order: Parameters<Orders['place']>[0]) => Promise<URL>;
  /** The PSU has come back at this address; gives where in the application it goes on. Throws a `Problem` where it was no success. */
  readonly cameBack: (returned: URL) => Promise<string>;
  /** Reads all anew; `psuIp`: the user is asking. Throws a `Problem` where that fails: what was read before stays. */
  readonly read: (psuIp?: string) => Promise<void>;
  /** As it was read last. */
  readonly accounts: () => readonly AccountView[];
  /** Epoch ms; null: never. */
  readonly readAt: () => number | null;
  /** Why there is no access any more. */
  readonly ending: () => string | undefined;
  /** Gives the access back. */
  readonly revoke: () => Promise<void>;
}

interface Journey {
  readonly finish: (returned: URL) => Promise<string>;
  /** Who comes back twice finds what the first time did. */
  finished?: Promise<string>;
}

interface Link {
  readonly consent: Pick<Consent, 'id'>;
  readonly access: Access;
  /** Epoch ms. */
  readonly expiresAt: number;
}

const MOST_JOURNEYS = 50;
/** A token is replaced so many ms before its end: a call that uses it is on its way for a while. */
const EARLY_MS = 60_000;
const DAY_MS = 86_400_000;
const CONSENT_DAYS = 89;
const HISTORY_DAYS = 89;
/** What is so new is not read again for a user who presses reload. */
const FRESH_MS = 60_000;
/** Without the user. */
const READS_A_DAY = 4;
/** After a 429 that does not say how long. */
const PAUSE_MS = DAY_MS / 2;

const hasCode = (error: BankRefusal, start: string) =>
  error.messages.some(({ code }) => code.startsWith(start));
/** The token is not taken; a new one may be. */
const wantsToken = (error: unknown): boolean =>
  error instanceof BankRefusal &&
  error.status === 401 &&
  !hasCode(error, 'CONSENT_') &&
  !hasCode(error, 'CERTIFICATE_');
const isEnd = (error: unknown): error is BankRefusal =>
  error instanceof BankRefusal && (hasCode(error, 'CONSENT_') || hasCode(error, 'invalid_grant'));

/** In ms: how long the bank wants us not to come. */
function pauseAfter(error: unknown): number {
  if (!(error instanceof Problem)) return 0;
  if (error.retryAfter !== null) return error.retryAfter * 1_000;
  return error instanceof BankRefusal && error.status === 429 ? PAUSE_MS : 0;
}

export function createLinkedBank(parts: LinkedBankParts): LinkedBank {
  const { bank, origin, now, explicit = () => false } = parts;
  const redirectUri = () => `${origin()}/back`;
  const dayFrom = (days: number) => new Date(now() + days * DAY_MS).toISOString().slice(0, 10);
  /** By `state`, which only the browser of this user was given. */
  const journeys = new Map<string, Journey>();
  const orders = createOrders(parts);
  /** Consents that the bank may hold valid and we cannot use. */
  const unwanted = new Set<Pick<Consent, 'id'>>();
  let linked: Link | null = null;
  let ending: string | undefined;
  let accounts: readonly AccountView[] = [];
  let readAt: number | null = null;
  let pausedUntil = 0;
  let reads = { day: '', count: 0 };

  async function begin(
    what: { readonly scope: string; readonly link: string | null; readonly psuIp: string },
    onReturn: (finish: () => Promise<Access>) => Promise<string>,
  ): Promise<URL> {
    const pending = await beginAuthorisation(bank, { ...what, redirectUri: redirectUri() });
    const [oldest] = journeys.keys();
    if (journeys.size >= MOST_JOURNEYS && oldest !== undefined) journeys.delete(oldest);
    journeys.set(pending.url.searchParams.get('state') ?? '', {
      finish: (returned) => onReturn(() => pending.finish(returned)),
    });
    return pending.url;
  }

  const linkTo = (consent: Link['consent'], access: Access): void => {
    linked = { consent, access, expiresAt: now() + access.expiresIn * 1_000 };
  };

  /** What cannot be given back now is given back with a later read. */
  async function giveBack(consent: Link['consent']): Promise<void> {
    unwanted.add(consent);
    try {
      await deleteConsent(bank, consent);
    } catch (error) {
      if (!(error instanceof BankRefusal)) return;
    }
    unwanted.delete(consent);
  }

  /** One at a time: a refresh token may be good for one use only. */
  const renew = oneAtATime(async () => {
    if (linked === null) throw new Problem('No bank is linked.');
    const { consent, access } = linked;
    const fresh = await refresh(bank, access.refreshToken ?? '', `AIS:${consent.id}`);
    if (linked.consent === consent) linkTo(consent, fresh);
  });

  async function withAccess<T>(
    psuIp: string | undefined,
    work: (reader: AccountReader) => Promise<T>,
  ): Promise<T> {
    const reader = () => {
      if (linked === null) throw new Problem('No bank is linked.');
      return { ...linked, ...(psuIp === undefined ? {} : { psuIp }) };
    };
    if (now() > reader().expiresAt - EARLY_MS) await renew();
    try {
      return await work(reader());
    } catch (error) {
      if (!wantsToken(error)) throw error;
      await renew();
      return work(reader());
    }
  }

  /** All of it or nothing: what was read before stays until a whole answer replaces it. */
  async function readAll(psuIp: string | undefined): Promise<void> {
    const dateFrom = dayFrom(-HISTORY_DAYS);
    const listed = await withAccess(psuIp, (reader) => listAccounts(bank, reader));
    if (listed.length === 0 && accounts.length > 0)
      throw new BankAway('The bank shows no accounts any more.');
    const whole: AccountView[] = [];
    for (const account of listed) {
      const { resourceId, _links: may } = account;
      const balances = may?.balances
        ? await withAccess(psuIp, (reader) => readBalances(bank, reader, resourceId))
        : [];
      const transactions = may?.transactions
        ? await withAccess(psuIp, (reader) => readTransactions(bank, reader, resourceId, dateFrom))
        : [];
      const before = accounts.find((one) => one.resourceId === resourceId)?.transactions.length ?? 0;
      if (transactions.length === 0 && before > 0)
        throw new BankAway('The bank shows no transactions any more.');
      whole.push({ ...account, balances, transactions });
    }
    [accounts, readAt] = [whole, now()];
  }

  /** The bank takes our access no more. A consent that still stands is given back: we cannot use it. */
  async function end({ consent }: Link, error: BankRefusal): Promise<void> {
    if ((await readConsentStatus(bank, consent)) === 'valid') await giveBack(consent);
    if (linked?.consent === consent) linked = null;
    ending = `The access has ended. Link your bank again to go on. (${error.message})`;
  }

  function isOneTooMany(): boolean {
    const day = dayFrom(0);
    reads = { day, count: (reads.day === day ? reads.count : 0) + 1 };
    return reads.count > READS_A_DAY;
  }

  const read = oneAtATime(async (psuIp?: string) => {
    for (const consent of unwanted) await giveBack(consent);
    const reading = linked;
    if (reading === null) return;
    if (psuIp !== undefined && readAt !== null && now() - readAt < FRESH_MS) return;
    if (now() < pausedUntil) throw new BankAway('The bank asked us to come later.');
    if (psuIp === undefined && isOneTooMany()) return;
    try {
      await readAll(psuIp);
    } catch (error) {
      pausedUntil = now() + pauseAfter(error);
      if (!isEnd(error)) throw error;
      await end(reading, error);
    }
  });

  return {
    isLinked: () => linked !== null,
    link: async (psuIp) => {
      const consent = await createConsent(bank, {
        ...{ redirectUri: redirectUri(), psuIp, explicit: explicit() },
        validUntil: dayFrom(CONSENT_DAYS),
        access: { accounts: [], balances: [], transactions: [] },
      });
      return begin({ scope: `AIS:${consent.id}`, link: consent.link, psuIp }, async (finish) => {
        const access = await finish().catch(async (error: unknown) => {
          await giveBack(consent);
          throw error;
        });
        const before = linked?.consent;
        linkTo(consent, access);
        [ending, pausedUntil, readAt] = [undefined, 0, null];
        if (before !== undefined) await giveBack(before);
        return '/';
      });
    },
    orders,
    pay: async (order) => {
      const { reference, id, link } = await orders.place(order);
      return begin({ scope: `PIS:${id}`, link, psuIp: order.psuIp }, async (finish) => {
        // What counts is the status: the PSU may have said yes although its code has ended meanwhile.
        await finish().catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
        });
        return `/payments/${reference}`;
      });
    },
    cameBack: async (returned) => {
      const journey = journeys.get(returned.searchParams.get('state') ?? '');
      if (journey === undefined)
        throw new Problem('This return belongs to nothing that you began here. Please begin again.');
      journey.finished ??= journey.finish(returned);
      return journey.finished;
    },
    read,
    accounts: () => accounts,
    readAt: () => readAt,
    ending: () => ending,
    revoke: async () => {
      if (linked !== null) await giveBack(linked.consent);
      [linked, accounts, readAt, ending] = [null, [], null, undefined];
    },
  };
}

/** Who asks while the work is under way waits for its end. */
function oneAtATime<A extends unknown[]>(
  work: (...given: A) => Promise<void>,
): (...given: A) => Promise<void> {
  let running: Promise<void> | null = null;
  return (...given) => {
    running ??= work(...given).finally(() => {
      running = null;
    });
    return running;
  };
}
