/** Makes a snapshot of the trusted lists: from the files of a folder, or from where the list of lists says they are. */
import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openTrustList, parsePemFile, renderTrustList, type TrustSnapshot } from '../../certificate/index.js';
import { readBytes, readStream, readText, readUpTo } from '../../files/index.js';
import { answerTo } from '../../outgoing/index.js';
import { SandgateError } from '../../spec/index.js';
import {
  chooseListOfLists,
  type FoundList,
  MOST_LIST_BYTES,
  officialSigners,
  readList,
  type Signers,
  type TakenList,
  TOO_LARGE,
  takeLists,
} from '../../trust/index.js';
import { writeWhole } from '../certificates/files.js';
import { isFile } from '../config/read-file.js';

interface SnapshotParts {
  /** The snapshot; if it is there, its lists stay in force where no new one is accepted. */
  readonly out: string;
  /** Private key (PEM) that signs it. */
  readonly keyPem: string;
  readonly signers: Signers;
  /** Epoch ms. */
  readonly at: number;
  readonly onProgress: (text: string) => void;
}

export interface MadeSnapshot {
  readonly lists: readonly TakenList[];
  /** false where no list of lists is trusted: then `out` stays as it was. */
  readonly isWritten: boolean;
}

const LIST_FILE = /\.(?:xml|xtsl)$/i;
const MOST_LISTS = 500;

/** Rejects with a SandgateError where the folder, or the snapshot in force, cannot be read. */
export function importLists(dir: string, parts: SnapshotParts): Promise<MadeSnapshot> {
  const names = listFiles(dir).slice(0, MOST_LISTS);
  const found = names.map((name, i): FoundList => {
    parts.onProgress(`${i + 1} of ${names.length}: ${name}`);
    const bytes = readUpTo(join(dir, name), MOST_LIST_BYTES);
    return { file: name, read: bytes === null ? TOO_LARGE : readList(bytes) };
  });
  return madeOf(found, parts);
}

function listFiles(dir: string): string[] {
  try {
    const names = readdirSync(dir).filter((name) => LIST_FILE.test(name));
    return names.filter((name) => statSync(join(dir, name)).isFile()).sort();
  } catch (cause) {
    throw new SandgateError('trust-list.no-folder', { dir }, { cause });
  }
}

async function madeOf(
  found: readonly FoundList[],
  { out, keyPem, signers, at }: SnapshotParts,
): Promise<MadeSnapshot> {
  const { lists, snapshot } = takeLists(found, signers, at, inForce(out, keyPem));
  if (snapshot !== null) await writeWhole(out, renderTrustList(snapshot, keyPem), 'public');
  return { lists, isWritten: snapshot !== null };
}

const inForce = (file: string, keyPem: string): TrustSnapshot | null =>
  isFile(file) ? openTrustList(readText(file), file, keyPem).snapshot : null;

/** Several servers are slow; a hundred lists are not asked for at once. */
const AT_ONCE = 6;

/** Rejects with a SandgateError where the snapshot in force cannot be read. Lists that cannot be had are told as refused. */
export async function updateLists(
  lotl: URL,
  parts: SnapshotParts,
  signal: AbortSignal,
): Promise<MadeSnapshot> {
  const get = async (url: string): Promise<FoundList> => {
    parts.onProgress(url);
    return { file: url, read: await fetchList(url, url === lotl.href, signal) };
  };
  const first = await get(lotl.href);
  // It is not trusted yet, and could lead anywhere.
  const isBeside = (url: string) => URL.canParse(url) && new URL(url).host === lotl.host;
  const pivots = 'why' in first.read ? [] : first.read.pivots.filter(isBeside).slice(0, MOST_PIVOTS);
  const editions = [first, ...(await inTurns(pivots, get))];
  const { chosen } = chooseListOfLists(editions, parts.signers, parts.at);
  const pointers = (chosen?.read.pointers ?? []).filter(({ isListOfLists }) => !isListOfLists);
  const urls = [...new Set(pointers.map(({ url }) => url))].slice(0, MOST_LISTS);
  const national = (await inTurns(urls, get)).map((one): FoundList => {
    // A server that does not answer is told with the country whose list it has.
    const country = pointers.find(({ url }) => url === one.file)?.country ?? null;
    return 'why' in one.read ? { ...one, read: { ...one.read, country } } : one;
  });
  return madeOf([...editions, ...national], parts);
}

const MOST_PIVOTS = 20;

async function inTurns<T>(urls: readonly string[], get: (url: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < urls.length; from += AT_ONCE)
    found.push(...(await Promise.all(urls.slice(from, from + AT_ONCE).map(get))));
  return found;
}

const ANSWER_MS = 60_000;
const MOST_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/** @param isOwn the user chose the address: it carries no mark of a request that others caused */
async function fetchList(address: string, isOwn: boolean, signal: AbortSignal): Promise<FoundList['read']> {
  const late = AbortSignal.timeout(ANSWER_MS);
  let url = address;
  try {
    for (let left = MOST_REDIRECTS; left >= 0; left--) {
      const answer = await answerTo(webAddress(url), { isOwn }, signal, late);
      const { statusCode, headers } = answer;
      if (REDIRECTS.includes(statusCode) && headers.location !== undefined) {
        answer.destroy();
        const next = webAddress(new URL(headers.location, url).href);
        // Plain http is answered by anybody, who could lead elsewhere.
        if (next.hostname !== new URL(url).hostname)
          return refused(`it leads to another host, ${next.hostname}`);
        url = next.href;
        continue;
      }
      if (statusCode !== 200) return refused(`its server answered ${statusCode}`);
      const bytes = await readStream(answer, MOST_LIST_BYTES);
      return bytes === null ? TOO_LARGE : readList(bytes);
    }
    return refused('its server redirects too often');
  } catch (error) {
    if (signal.aborted) throw error;
    return refused(
      late.aborted
        ? 'its server does not answer'
        : `it cannot be had: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

const refused = (why: string): FoundList['read'] => ({ why, country: null });

function webAddress(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not taken`);
  return url;
}

/** The certificates in a file as signers of the list of lists; without one, those of the Official Journal at a time (epoch ms). */
export function signersIn(file: string | undefined, at: number): Signers {
  if (file === undefined) return officialSigners(at);
  const certificates = parsePemFile(readBytes(file));
  if (certificates.length === 0) throw new SandgateError('certificate.none', { file });
  return { fingerprints: certificates.map((der) => hash('sha256', der, 'hex')), since: 0 };
}
