/**
 * A snapshot of the EU's trusted lists (ETSI TS 119 612): the CAs that issue qualified certificates for web sites and
 * for seals, and since when the status of each is what. Signed by whoever made it, so that a change is found.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import { DAY_MS, SandgateError } from '../spec/index.js';
import { type Authority, openAuthority } from './authority.js';
import { printable } from './der.js';

export type ListPurpose = 'web' | 'eseal';

const time = z.iso.datetime();
const text = z.string().transform(printable);
const edition = {
  country: text,
  sequence: z.number(),
  issued: time,
  /** null: the list is closed. */
  nextUpdate: time.nullable(),
  /** SHA-256 of the file, hex. */
  digest: z.string(),
};
const service = z.object({
  provider: text,
  name: text,
  /** DER in base64. */
  certificates: z.array(z.string()),
  /** Newest first. */
  periods: z.array(z.object({ since: time, status: text, purposes: z.array(z.enum(['web', 'eseal'])) })),
});
const snapshot = z.object({
  type: z.literal('sandgate-trust-list'),
  version: z.literal(1),
  madeAt: time,
  listOfLists: z.object(edition),
  lists: z.array(z.object({ ...edition, services: z.array(service) })),
});

export type TrustSnapshot = z.infer<typeof snapshot>;
export type ListedService = z.infer<typeof service>;

/** One service of a list, as chains ask for it. */
interface Listing {
  readonly list: TrustSnapshot['lists'][number];
  readonly service: ListedService;
}

export interface TrustList {
  readonly snapshot: TrustSnapshot;
  /** SHA-256 of the snapshot, hex. */
  readonly digest: string;
  readonly authorities: readonly Authority[];
  /** By the fingerprint of an authority. */
  readonly listings: ReadonlyMap<string, readonly Listing[]>;
}

const digestOf = (content: unknown): string => hash('sha256', JSON.stringify(content), 'hex');
/** Edwards keys hash by themselves. */
const hashFor = (key: KeyObject): string | null =>
  key.asymmetricKeyType?.startsWith('ed') === true ? null : 'sha256';

/** The file of a snapshot. `keyPem`: the private key that signs it. */
export function renderTrustList(content: TrustSnapshot, keyPem: string): string {
  const key = createPrivateKey(keyPem);
  const signature = sign(hashFor(key), Buffer.from(digestOf(content)), key).toString('base64');
  return `${JSON.stringify({ ...content, signature }, null, 1)}\n`;
}

/**
 * @param file its name, for errors
 * @param keyPem the key that must have signed it: private, public, or in a certificate
 * @throws SandgateError where it is no snapshot, or not as it was signed
 */
export function openTrustList(fileText: string, file: string, keyPem: string): TrustList {
  let content: Record<string, unknown>;
  try {
    content = z.looseObject({ signature: z.string() }).parse(JSON.parse(fileText));
  } catch (cause) {
    throw new SandgateError('trust-list.unreadable', { file }, { cause });
  }
  const { signature, ...signed } = content;
  const digest = digestOf(signed);
  const key = createPublicKey(keyPem);
  const bytes = Buffer.from(String(signature), 'base64');
  if (!verify(hashFor(key), Buffer.from(digest), key, bytes))
    throw new SandgateError('trust-list.changed', { file });
  const parsed = snapshot.safeParse(signed);
  if (!parsed.success) throw new SandgateError('trust-list.unreadable', { file }, { cause: parsed.error });
  return { snapshot: parsed.data, digest, ...indexed(parsed.data) };
}

function indexed({ lists }: TrustSnapshot): Pick<TrustList, 'authorities' | 'listings'> {
  const authorities = new Map<string, Authority>();
  const listings = new Map<string, Listing[]>();
  const opened = new Map<string, Authority | null>();
  const open = (base64: string): Authority | null => {
    const known = opened.get(base64);
    if (known !== undefined) return known;
    const authority = openAuthority(Buffer.from(base64, 'base64'));
    opened.set(base64, authority);
    return authority;
  };
  for (const list of lists)
    for (const one of list.services)
      for (const authority of one.certificates.map(open)) {
        if (authority === null) continue;
        authorities.set(authority.fingerprint, authority);
        listings.set(authority.fingerprint, [
          ...(listings.get(authority.fingerprint) ?? []),
          { list, service: one },
        ]);
      }
  return { authorities: [...authorities.values()], listings };
}

const WORDS: Readonly<Record<ListPurpose, string>> = { web: 'web site authentication', eseal: 'seals' };

/** The word of the lists on an authority at a time (epoch ms), for a purpose. null: no list has it. */
export function standingOf(
  { fingerprint }: Authority,
  purpose: ListPurpose,
  list: TrustList,
  now: number,
): { readonly isGranted: boolean; readonly words: string } | null {
  const listings = list.listings.get(fingerprint) ?? [];
  const standings = listings.map((listing) => {
    const period = periodAt(listing.service, now);
    const isFor = period?.purposes.includes(purpose) === true;
    return { listing, period, isFor, isGranted: isFor && period?.status === 'granted' };
  });
  const [best] = standings.sort((a, b) => rank(b) - rank(a));
  if (best === undefined) return null;
  const { listing, period, isFor, isGranted } = best;
  const what = isFor ? `${period?.status} for ${WORDS[purpose]}` : `not listed for ${WORDS[purpose]}`;
  const since = period === undefined || !isFor ? '' : ` since ${period.since.slice(0, 10)}`;
  const of = `“${listing.service.name}” of ${listing.service.provider}`;
  return {
    isGranted,
    words: `${what}${since} by the trusted list of ${listing.list.country} (service ${of}; ${ageOf(list, now)})${overdue(listing.list, now)}`,
  };
}

const rank = ({ isFor, isGranted }: { readonly isFor: boolean; readonly isGranted: boolean }): number =>
  Number(isFor) + Number(isGranted);

/** The newest period that had begun. */
const periodAt = ({ periods }: ListedService, now: number): ListedService['periods'][number] | undefined =>
  periods
    .filter(({ since }) => Date.parse(since) <= now)
    .reduce<ListedService['periods'][number] | undefined>(
      (latest, one) => (latest === undefined || one.since > latest.since ? one : latest),
      undefined,
    );

/** The snapshot by its digest, day and age. */
export function ageOf({ digest, snapshot: { madeAt } }: TrustList, now: number): string {
  const days = Math.max(0, Math.floor((now - Date.parse(madeAt)) / DAY_MS));
  return `snapshot ${digest.slice(0, 12)} of ${madeAt.slice(0, 10)}, ${days} day${days === 1 ? '' : 's'} old`;
}

function overdue({ nextUpdate }: TrustSnapshot['lists'][number], now: number): string {
  return nextUpdate === null || Date.parse(nextUpdate) > now
    ? ''
    : `. This list was due for an update on ${nextUpdate.slice(0, 10)}`;
}

/** The lists that should have been replaced by `now`, epoch ms; in words, or null where all are current. */
export function staleWords({ snapshot: { lists, listOfLists } }: TrustList, now: number): string | null {
  const stale = [listOfLists, ...lists].filter(
    ({ nextUpdate }) => nextUpdate !== null && Date.parse(nextUpdate) <= now,
  );
  if (stale.length === 0) return null;
  const named = stale.map(({ country, nextUpdate }) => `${country} (${nextUpdate?.slice(0, 10)})`);
  return `These trusted lists were due for an update: ${named.join(', ')}.`;
}
