/** Reads accounts, balances and postings of all links, and takes over what was read whole. */
import * as z from 'zod';
import { BankAway, BankRefusal } from './bank.js';
import { dateOf, endLink, giveBack, type Parts, renewAccess } from './linking.js';
import type { AccountRow, LinkRow, Posting } from './store.js';

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 89;
const READS_A_DAY = 4;
const EARLY_MS = 60_000;
const MOST_PAGES = 50;

const amount = z.object({ currency: z.string(), amount: z.string().regex(/^-?\d{1,15}(?:\.\d{1,3})?$/) });
const accounts = z.object({
  accounts: z.array(
    z.object({
      resourceId: z.string(),
      iban: z.string(),
      currency: z.string(),
      name: z.string().default(''),
    }),
  ),
});
const balances = z.object({
  balances: z.array(z.object({ balanceType: z.string(), balanceAmount: amount })).min(1),
});
const page = z.object({
  transactions: z.object({
    booked: z.array(
      z.object({
        transactionId: z.string(),
        bookingDate: z.iso.date(),
        transactionAmount: amount,
        remittanceInformationUnstructured: z.string().default(''),
      }),
    ),
    _links: z.object({ next: z.object({ href: z.string() }).optional() }).optional(),
  }),
});
export type Page = z.infer<typeof page>;

const centsOf = (text: string): number => Math.round(Number(text) * 100);

/** Reads all pages of an account; the next one by the address that a page gives. Throws where they are not whole. */
export type ReadPages = (
  first: string,
  read: (address: string) => Promise<Page>,
) => Promise<readonly Posting[]>;

export const postingsOf = ({ transactions }: Page): Posting[] =>
  transactions.booked.map((one) => ({
    id: one.transactionId,
    date: one.bookingDate,
    cents: centsOf(one.transactionAmount.amount),
    text: one.remittanceInformationUnstructured,
  }));

export interface Synced {
  readonly read: number;
  /** Why the others could not be read. */
  readonly problems: readonly string[];
}

export function createSync(parts: Parts, readPages: ReadPages) {
  const { bank, store, now } = parts;
  /** Two at once would read, and count, twice. */
  const running = new Map<string, Promise<void>>();

  async function ask<T>(
    link: LinkRow,
    path: string,
    answers: z.ZodType<T>,
    psuIp: string | null,
  ): Promise<T> {
    const fresh = () => store.link(link.id) ?? link;
    const send = () =>
      bank.call({
        path,
        headers: {
          Authorization: `Bearer ${fresh().accessToken}`,
          'Consent-Id': link.consent,
          ...(psuIp === null ? {} : { 'PSU-IP-Address': psuIp }),
        },
        answers,
      });
    if (fresh().expiresAt - EARLY_MS < now()) await renewAccess(parts, fresh());
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof BankRefusal) || error.status !== 401) throw error;
      if (error.codes.some((code) => code.startsWith('CERTIFICATE_'))) throw error;
      if (error.codes.some((code) => code.startsWith('CONSENT_'))) throw await ended(link, error);
      // The token has ended before its time.
      await renewAccess(parts, fresh());
      return send();
    }
  }

  async function ended(link: LinkRow, error: BankRefusal): Promise<BankRefusal> {
    await endLink(parts, link);
    return error;
  }

  async function readLink(link: LinkRow, psuIp: string | null): Promise<void> {
    const from = dateOf(now() - HISTORY_DAYS * DAY_MS);
    const listed = await ask(link, '/accounts', accounts, psuIp);
    const known = store.accountsOf(link.id);
    if (listed.accounts.length === 0 && known.length > 0)
      throw new BankAway('The bank shows no accounts any more.');
    const whole: { account: AccountRow; postings: readonly Posting[] }[] = [];
    for (const { resourceId, iban, name } of listed.accounts) {
      const told = await ask(link, `/accounts/${resourceId}/balances`, balances, psuIp);
      const booked =
        told.balances.find(({ balanceType }) => balanceType === 'interimBooked') ?? told.balances[0];
      const first = `/accounts/${resourceId}/transactions?dateFrom=${from}&bookingStatus=booked`;
      const postings = await readPages(first, (address) => ask(link, address, page, psuIp));
      if (postings.length === 0 && store.countSince(iban, from) > 0)
        throw new BankAway('The bank shows no postings any more.');
      const balance = centsOf(booked?.balanceAmount.amount ?? '');
      whole.push({ account: { iban, link: link.id, resourceId, name, balance, readAt: now() }, postings });
    }
    // All that was read, or nothing; postings that were read before may be gone, or have other ids by now.
    store.together(() => {
      for (const { account, postings } of whole) {
        store.putAccount(account);
        store.dropPostings(account.iban, from);
        for (const posting of postings) store.addPosting(account.iban, posting);
      }
    });
  }

  async function syncLink(link: LinkRow, psuIp: string | null): Promise<void> {
    if (link.pausedUntil > now()) throw new BankAway('The bank asked us to come later.');
    // What would be one too many is left out: what we have is of today.
    if (psuIp === null && store.countRead(link.id, dateOf(now())) >= READS_A_DAY) return;
    try {
      await readLink(link, psuIp);
    } catch (error) {
      if (error instanceof BankRefusal && error.status === 429) {
        const later = error.retryAfter === null ? DAY_MS / 2 : error.retryAfter * 1_000;
        store.changeLink(link.id, { pausedUntil: now() + later });
      }
      // A consent that has ended is no failure of the sync: its user is asked to link again.
      if (store.link(link.id)?.status === 'valid') throw error;
    }
  }

  const once = (link: LinkRow, psuIp: string | null): Promise<void> => {
    const under = running.get(link.id);
    if (under !== undefined) return under;
    const begun = syncLink(link, psuIp).finally(() => running.delete(link.id));
    running.set(link.id, begun);
    return begun;
  };

  return {
    /** `psuIp`: the user is waiting. */
    link: once,
    all: async (): Promise<Synced> => {
      for (const link of store.linksIn('unwanted')) await giveBack(parts, link);
      const done = await Promise.allSettled(store.linksIn('valid').map((link) => once(link, null)));
      const problems = done.flatMap((one) =>
        one.status === 'rejected' ? [String(one.reason?.message)] : [],
      );
      return { read: done.length - problems.length, problems: [...new Set(problems)] };
    },
  };
}

/** A page that comes again, or one too many, makes the list worthless: what we had before stays. */
export const readPagesOnce: ReadPages = async (first, read) => {
  const visited = new Set<string>();
  const found = new Map<string, Posting>();
  for (let next: string | undefined = first; next !== undefined; ) {
    if (visited.has(next) || visited.size === MOST_PAGES)
      throw new BankAway('The bank’s pages lead in a circle.');
    visited.add(next);
    const current: Page = await read(next);
    for (const posting of postingsOf(current)) found.set(posting.id, posting);
    next = current.transactions._links?.next?.href;
    if (next !== undefined && current.transactions.booked.length === 0) break;
  }
  return [...found.values()];
};
