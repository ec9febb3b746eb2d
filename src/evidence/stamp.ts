/** Asks a time stamping authority over HTTP (RFC 3161 3.4), and keeps its stamps beside the checkpoints. */
import { hash } from 'node:crypto';
import type { Store } from '../store/index.js';

export interface StamperParts {
  readonly url: string;
  readonly store: Pick<Store, 'append'>;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly chance: { readonly bytes: (size: number) => Uint8Array };
}

/** A checkpoint that is to be stamped, or handed on. */
export interface Signed {
  readonly session: string;
  readonly of: number;
  readonly statement: string;
}

const ANSWER_MS = 10_000;
/** A token with its certificates takes some KB. */
const LARGEST = 65_536;
const NONCE_BYTES = 8;

/** Digest by which a time stamp names its checkpoint, hex. */
export const statementDigest = (statement: string): string => hash('sha256', statement, 'hex');

/** Rejects where the authority cannot be reached, takes too long, says too much, or no. */
export function createStamper(parts: StamperParts): (signed: Signed) => Promise<void> {
  const { url, store, clock, chance } = parts;
  return async ({ session, of, statement }) => {
    const { readTimeStampResponse, timeStampRequest } = await import('./time-stamp/index.js');
    const nonce = chance.bytes(NONCE_BYTES);
    const response = await ask(url, timeStampRequest(statement, nonce));
    const token = Buffer.from(readTimeStampResponse(response, statement, nonce)).toString('base64');
    const settings = { checkpoint: statementDigest(statement), token };
    const note = { at: clock(), kind: 'timestamp', settings } as const;
    await store.append({ notes: [{ session, of, note }], records: [], changes: [] });
  };
}

async function ask(url: string, query: Uint8Array): Promise<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
    body: Buffer.from(query),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Error(`${url} answered more than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return Buffer.concat(chunks);
}
