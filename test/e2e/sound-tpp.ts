/**
 * A TPP that follows the interface whatever comes back: it sends a call again with its X-Request-ID where no answer of a
 * bank came, takes nothing for granted of an answer, and gives up where it cannot go on.
 */
import { createHash } from 'node:crypto';
import { bankDateAt } from '../../src/spec/index.js';
import { type CallOptions, DAY_MS, type Reply, type TestGateway } from './harness.js';

const V1 = '/stdgroup/v1';
const BACK = 'https://tpp.example/back';
const CLIENT_ID = 'VALID_CLIENT_ID';
const MOST_TRIES = 3;
const MOST_PAGES = 8;
const HOUR_MS = 3_600_000;

export interface Link {
  readonly kind: 'consent' | 'payment';
  readonly id: string;
  readonly sca: string;
  readonly until: number;
  access?: { readonly token: string; readonly until: number } | undefined;
  refresh?: string | undefined;
  hasEnded?: boolean;
}

export interface SoundTppParts {
  readonly gateway: TestGateway;
  /** Ids and secrets in their order: the same ones for the same seed. */
  readonly draw: (what: string) => string;
  /** Resolves when the gateway keeps silent, so that the client gives up. */
  readonly silence: (requestId: string) => Promise<void>;
  readonly cert?: string;
}

export type SoundTpp = ReturnType<typeof createSoundTpp>;

export function createSoundTpp({ gateway, draw, silence, cert = 'tpp' }: SoundTppParts) {
  const seen: string[] = [];
  const links: Link[] = [];
  /** Reads without the PSU, by what the limit counts, tries too. */
  const unattended = new Map<string, number[]>();
  const now = () => gateway.app.clock.now();

  /** One try; null: nothing came. */
  async function tried(target: string, options: CallOptions, requestId: string): Promise<Reply | null> {
    const giveUp = new AbortController();
    const call = gateway.call(target, { cert, ...options, signal: giveUp.signal }).catch(() => null);
    const answer = await Promise.race([call, silence(requestId)]);
    giveUp.abort();
    await call;
    return answer ?? null;
  }

  /** The answer of the bank; null where there is none after some tries, or it cannot be read. */
  async function ask(name: string, target: string, options: CallOptions = {}): Promise<Reply | null> {
    const requestId = draw('id');
    const headers = { 'PSU-IP-Address': '192.0.2.1', ...options.headers, 'X-Request-ID': requestId };
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const answer = await tried(target, { ...options, headers }, requestId);
      seen.push(`${name} ${answer?.status ?? 'nothing'}`);
      if (answer !== null && answer.status < 500) return answer;
    }
    return null;
  }

  const textOf = (answer: Reply | null, ...path: readonly string[]): string | null => {
    let value = answer !== null && answer.status < 300 ? answer.json : null;
    for (const member of path) value = value?.[member];
    return typeof value === 'string' && value !== '' ? value : null;
  };

  function linkOf(answer: Reply | null, kind: Link['kind'], until: number): Link | null {
    const id = textOf(answer, `${kind}Id`);
    const sca = textOf(answer, '_links', 'scaOAuth', 'href');
    if (id === null || sca === null) return null;
    const link: Link = { kind, id, sca, until };
    links.push(link);
    return link;
  }

  async function takeTokens(link: Link, form: Record<string, string>): Promise<boolean> {
    const answer = await ask('token', `${V1}/token`, { form: { client_id: CLIENT_ID, ...form } });
    const token = textOf(answer, 'access_token');
    if (token === null) return false;
    const seconds = Number(answer?.json.expires_in) || 0;
    link.access = { token, until: now() + seconds * 1_000 - 1_000 };
    link.refresh = textOf(answer, 'refresh_token') ?? link.refresh;
    return true;
  }

  async function authorise(link: Link, scenario: string, psu: string): Promise<void> {
    const { pathname, search } = new URL(link.sca);
    const discovery = await ask('discovery', pathname + search);
    const page = textOf(discovery, 'authorization_endpoint');
    if (page === null || !URL.canParse(page)) return;
    const verifier = draw('verifier');
    const state = draw('state');
    const url = new URL(page);
    url.search = new URLSearchParams({
      ...{ scope: `${link.kind === 'consent' ? 'AIS' : 'PIS'}:${link.id}`, client_id: CLIENT_ID, state },
      ...{ redirect_uri: BACK, response_type: 'code', code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      ...{ scenario, psu },
    }).toString();
    const end = await ask('authorise', url.href, { cert: null });
    const to = end?.headers.location ?? end?.headers.refresh?.replace(/^\d+; url=/, '') ?? '';
    if (!to.startsWith(BACK)) return;
    const back = new URL(to).searchParams;
    const code = back.get('code');
    // A return with another state is not the one that was asked for.
    if (code === null || back.get('state') !== state) return;
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: BACK };
    await takeTokens(link, form);
  }

  /** A token that has not ended, fetched anew where it has; null where there is none any more. */
  async function tokenOf(link: Link): Promise<string | null> {
    if (link.hasEnded === true || now() >= link.until) return null;
    if (link.access !== undefined && now() < link.access.until) return link.access.token;
    const { refresh } = link;
    if (refresh === undefined) return null;
    link.access = undefined;
    const isGiven = await takeTokens(link, { grant_type: 'refresh_token', refresh_token: refresh });
    if (!isGiven) link.refresh = undefined;
    return (link as Link).access?.token ?? null;
  }

  function mayRead(what: string): boolean {
    const times = (unattended.get(what) ?? []).filter((at) => now() - at < 2 * DAY_MS);
    unattended.set(what, [...times, now()]);
    return times.length < 4;
  }

  async function read(link: Link, path: string, isAttended = true): Promise<Reply | null> {
    const token = await tokenOf(link);
    if (token === null) return null;
    const headers = {
      Authorization: `Bearer ${token}`,
      'Consent-Id': link.id,
      ...(isAttended ? {} : { 'PSU-IP-Address': undefined }),
    };
    const answer = await ask(`read ${path.replaceAll(/[\w-]{20,}|\d{4}-.*/g, '*')}`, V1 + path, { headers });
    if (answer?.status === 401) link.access = undefined;
    return answer;
  }

  const dayAfter = (days: number) => bankDateAt(now() + days * DAY_MS);
  const product = `${V1}/payments/sepa-credit-transfers`;

  return {
    seen: seen as readonly string[],
    links: links as readonly Link[],
    link: async (scenario: string, psu: string): Promise<void> => {
      const json = {
        access: { allPsd2: 'allAccounts' },
        ...{ recurringIndicator: true, validUntil: dayAfter(80), frequencyPerDay: 4 },
        combinedServiceIndicator: false,
      };
      const headers = { 'TPP-Redirect-URI': BACK };
      const created = await ask('consent', `${V1}/consents`, { json, headers });
      const link = linkOf(created, 'consent', now() + 79 * DAY_MS);
      if (link !== null) await authorise(link, scenario, psu);
    },
    pay: async (amount: string, debtorIban: string, scenario: string, psu: string): Promise<void> => {
      const json = {
        instructedAmount: { currency: 'EUR', amount },
        ...{ debtorAccount: { iban: debtorIban }, creditorAccount: { iban: 'BE86986509812450' } },
        creditorName: 'Fietsenatelier Roeland',
      };
      const created = await ask('pay', product, { json, headers: { 'TPP-Redirect-URI': BACK } });
      const link = linkOf(created, 'payment', Number.POSITIVE_INFINITY);
      if (link !== null) await authorise(link, scenario, psu);
    },
    /** Asked for the first time, or long after the time before. */
    status: async ({ kind, id }: Link): Promise<string | null> => {
      const path = kind === 'consent' ? `${V1}/consents/${id}/status` : `${product}/${id}/status`;
      const headers: Record<string, string> = kind === 'consent' ? {} : { 'Consent-Id': id };
      const answer = await ask(`${kind} status`, path, { headers });
      return textOf(answer, kind === 'consent' ? 'consentStatus' : 'transactionStatus');
    },
    end: async (link: Link): Promise<void> => {
      if (link.hasEnded === true) return;
      link.hasEnded = true;
      const path = link.kind === 'consent' ? `${V1}/consents/${link.id}` : `${product}/${link.id}`;
      const headers: Record<string, string> = link.kind === 'consent' ? {} : { 'Consent-Id': link.id };
      await ask(`end ${link.kind}`, path, { method: 'DELETE', headers });
    },
    refresh: async (link: Link): Promise<void> => {
      link.access = undefined;
      await tokenOf(link);
    },
    balances: async (link: Link): Promise<void> => {
      const list = await read(link, '/accounts');
      const accounts = list?.status === 200 ? list.json?.accounts : null;
      if (!Array.isArray(accounts)) return;
      for (const account of accounts.slice(0, 2))
        if (typeof account?.resourceId === 'string' && account._links?.balances !== undefined)
          await read(link, `/accounts/${account.resourceId}/balances`);
    },
    unattended: async (link: Link): Promise<void> => {
      for (let i = 0; i < MOST_TRIES; i++) if (!mayRead(link.id)) return;
      await read(link, '/accounts', false);
    },
    /** Page by page, until there is none or one comes again. */
    transactions: async (link: Link): Promise<void> => {
      const list = await read(link, '/accounts');
      const account = list?.status === 200 ? list.json?.accounts?.[0] : null;
      if (typeof account?.resourceId !== 'string' || account._links?.transactions === undefined) return;
      const first = `/accounts/${account.resourceId}/transactions?dateFrom=${dayAfter(-30)}&bookingStatus=booked`;
      const read_ = new Set<string>();
      for (let path: string | undefined = first; path !== undefined && !read_.has(path); ) {
        if (read_.size >= MOST_PAGES) return;
        read_.add(path);
        const page: Reply | null = await read(link, path);
        const next = page?.json?.transactions?._links?.next?.href;
        path = page?.status === 200 && typeof next === 'string' ? next.split('/v1')[1] : undefined;
      }
    },
    wait: (hours: number): void => {
      gateway.app.clock.change({ advance: hours * HOUR_MS });
    },
  };
}
