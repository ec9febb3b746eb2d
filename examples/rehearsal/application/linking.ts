/** Linking: a consent of the PSU, its way to the bank and back, and the tokens that come of it. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type BankLine, BankRefusal } from './bank.js';
import {
  type Access,
  authorizeAddress,
  exchange,
  isRefused,
  newState,
  newVerifier,
  refresh,
} from './oauth.js';
import type { LinkRow, Store } from './store.js';

export interface Parts {
  readonly bank: BankLine;
  readonly store: Store;
  /** Address of this application as browsers see it. */
  readonly origin: string;
  /** Epoch ms. */
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const started = z.object({ _links: z.object({ scaOAuth: z.object({ href: z.url() }) }) });
const created = z.object({
  consentId: z.string().min(1),
  _links: z.object({
    scaOAuth: z.object({ href: z.url() }).optional(),
    startAuthorisation: z.object({ href: z.string() }).optional(),
  }),
});
const status = z.object({ consentStatus: z.string() });

export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const scopeOf = ({ consent }: Pick<LinkRow, 'consent'>): string => `AIS:${consent}`;
/** Until then a token without an end is used before it is refreshed. */
const UNSAID_SECONDS = 300;

/** Where the PSU goes. Throws where the bank does not take part. */
export async function beginLink(
  { bank, store, origin, now }: Parts,
  {
    browser,
    explicit,
    psuIp,
  }: { readonly browser: string; readonly explicit: boolean; readonly psuIp: string },
): Promise<string> {
  const [id, state, verifier, redirectUri] = [randomUUID(), newState(), newVerifier(), `${origin}/back`];
  store.addLink({ id, browser, state, verifier });
  const headers = { 'TPP-Redirect-URI': redirectUri, 'PSU-IP-Address': psuIp };
  const consent = await bank.call({
    method: 'POST',
    path: '/consents',
    headers: { ...headers, 'TPP-Explicit-Authorisation-Preferred': String(explicit) },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: dateOf(now() + 89 * DAY_MS),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
    answers: created,
  });
  store.changeLink(id, { consent: consent.consentId });
  const link =
    consent._links.scaOAuth?.href ??
    (
      await bank.call({
        method: 'POST',
        path: `/consents/${consent.consentId}/authorisations`,
        headers,
        json: {},
        answers: started,
      })
    )._links.scaOAuth.href;
  return authorizeAddress(bank, { link, scope: `AIS:${consent.consentId}`, state, verifier, redirectUri });
}

/** The PSU is back. Throws where it said no, or the bank gives no access. */
export async function finishLink(parts: Parts, link: LinkRow, returned: URL): Promise<void> {
  const { bank, store, origin } = parts;
  // Before the code is used: it must not be used twice.
  store.changeLink(link.id, { status: 'exchanging' });
  try {
    const { state, verifier } = link;
    const access = await exchange(bank, returned, {
      state,
      verifier,
      redirectUri: `${origin}/back`,
      scope: scopeOf(link),
    });
    keepAccess(parts, link, access);
    store.changeLink(link.id, { status: 'valid' });
  } catch (error) {
    // The PSU is told that it failed: the consent goes back, now or with a later sync.
    store.changeLink(link.id, { status: 'unwanted' });
    await giveBack(parts, link);
    throw error;
  }
}

export function keepAccess(
  { store, now }: Parts,
  { id }: LinkRow,
  { accessToken, refreshToken, seconds }: Access,
): void {
  const expiresAt = now() + (seconds ?? UNSAID_SECONDS) * 1_000;
  store.changeLink(id, { accessToken, expiresAt, ...(refreshToken === null ? {} : { refreshToken }) });
}

/** A token that works, as far as we can know. Throws where the bank gives none; the link has ended then if the bank said so. */
export async function renewAccess(parts: Parts, link: LinkRow): Promise<void> {
  try {
    keepAccess(parts, link, await refresh(parts.bank, link.refreshToken ?? '', scopeOf(link)));
  } catch (error) {
    if (isRefused(error)) await endLink(parts, link);
    throw error;
  }
}

/** Asks the bank what became of the consent; one that still stands is given back, because we cannot use it any more. */
export async function endLink({ bank, store }: Parts, link: LinkRow): Promise<void> {
  const { consentStatus } = await bank.call({ path: `/consents/${link.consent}/status`, answers: status });
  if (consentStatus === 'valid') {
    store.changeLink(link.id, { status: 'unwanted' });
    return giveBack({ bank, store }, link);
  }
  store.changeLink(link.id, { status: consentStatus });
}

/** Ends a consent at the bank that nobody can use; it stays `unwanted` while the bank is away. */
export async function giveBack(
  { bank, store }: Pick<Parts, 'bank' | 'store'>,
  { id, consent }: LinkRow,
): Promise<void> {
  try {
    await bank.call({ method: 'DELETE', path: `/consents/${consent}`, answers: z.unknown() });
  } catch (error) {
    if (!(error instanceof BankRefusal)) return;
  }
  store.changeLink(id, { status: 'terminatedByTpp' });
}
