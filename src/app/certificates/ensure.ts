/** Makes sure that the folder of certificates holds the whole set, none of it about to expire. */
import { join } from 'node:path';
import { type IssuingAuthority, openCrlFile, openIssuingAuthority } from '../../certificate/index.js';
import { DAY_MS, SandgateError } from '../../spec/index.js';
import { alone, makeFolder, type PemPair, writePair, writeWhole } from './files.js';
import { type MakeKeys, makeKeyPair, renderKey } from './key-pairs.js';
import { mintAuthority, mintCertificate, mintCrl, mintServer, serialOf, type Term } from './mint.js';
import { NAMES, readable, type Survey, survey } from './survey.js';

export interface Certificates {
  /** The folder, as it was given. */
  readonly dir: string;
  readonly caPem: string;
  /** The gateway's own, with the CA above it. */
  readonly serverPem: string;
  readonly serverKeyPem: string;
  /** PEM. */
  readonly crl: string;
  /** Names of what was made now; empty where all was there. */
  readonly made: readonly string[];
}

/**
 * Makes what is missing or about to end, and leaves alone what is not the gateway's own: a CA that the user put there
 * stays and signs the rest, a certificate of another CA under one of the names stays as it is. Safe while other
 * processes do the same.
 * @param now epoch ms by the machine's clock
 * @param onProgress told before something is made
 * @param judgedAt epoch ms by the clock that certificates are judged by: test certificates are good at both times
 * @throws SandgateError where the folder cannot be read or written, or its CA lacks the key to sign with
 */
export async function ensureCertificates(
  dir: string,
  now: number,
  onProgress: (text: string) => void = () => undefined,
  judgedAt = now,
  makeKeys: MakeKeys = makeKeyPair,
): Promise<Certificates> {
  const term: Term = { from: Math.min(now, judgedAt), to: Math.max(now, judgedAt) };
  const look = () => survey(dir, now, term);
  const found = await look();
  if (found.wanting.size === 0) return toCertificates(dir, found, []);
  makeFolder(dir);
  return alone(dir, async () => {
    // Another process may have been faster.
    const { wanting, ...rest } = await look();
    if (wanting.size > 0) onProgress(`Creating test certificates in ${dir}.`);
    if (wanting.size > 0) await make(dir, { wanting, ...rest }, now, term, makeKeys);
    return toCertificates(dir, await look(), [...wanting]);
  });
}

function toCertificates(dir: string, { ca, crl, pairs }: Survey, made: readonly string[]): Certificates {
  const server = pairs.get('server');
  if (ca === null || crl === null || server === undefined)
    throw new SandgateError('certs.went-away', { dir });
  if (server.keyPem === '') throw new SandgateError('certs.no-server-key', { file: join(dir, 'server.pem') });
  return { dir, caPem: ca.pem, serverPem: server.pem, serverKeyPem: server.keyPem, crl, made };
}

async function make(dir: string, found: Survey, now: number, term: Term, makeKeys: MakeKeys): Promise<void> {
  const { wanting } = found;
  const ca = wanting.has('ca') ? mintAuthority(term, makeKeys) : openCa(dir, found);
  const names = NAMES.filter((name) => wanting.has(name));
  const pairs = await Promise.all(
    names.map((name) =>
      name === 'server' ? mintServer(ca, now, makeKeys) : mintCertificate(name, ca, term, makeKeys),
    ),
  );
  const authority = await ca;
  if (wanting.has('ca'))
    await writePair(dir, 'ca', { pem: authority.pem, keyPem: renderKey(authority.privateKey) });
  await Promise.all(
    names.flatMap((name, i) => {
      const pair = pairs[i];
      return pair === undefined ? [] : [writePair(dir, name, pair)];
    }),
  );
  if (!wanting.has('crl')) return;
  const revoked = pairs[names.indexOf('bad-revoked')] ?? found.pairs.get('bad-revoked');
  const before = wanting.has('ca') ? [] : revokedBefore(found.crl);
  const list = new Map([...before, ...(revoked === undefined ? [] : [entryOf(revoked, term)])]);
  await writeWhole(join(dir, 'ca.crl'), mintCrl(authority, list, now, term), 'public');
}

const entryOf = ({ pem }: PemPair, { from }: Term): [string, number] => [serialOf(pem), from - DAY_MS];

function openCa(dir: string, { ca }: Survey): IssuingAuthority {
  if (ca === null || ca.keyPem === null)
    throw new SandgateError('certs.no-ca-key', { file: join(dir, 'ca.pem') });
  return openIssuingAuthority(ca.pem, ca.keyPem);
}

/** What the list said so far: it never forgets. */
function revokedBefore(crl: string | null): [string, number][] {
  if (crl === null) return [];
  const lists = readable(() => openCrlFile(crl)) ?? [];
  return lists.flatMap((list) =>
    [...list.revoked].map(([serial, since]): [string, number] => [serial, Date.parse(since)]),
  );
}
