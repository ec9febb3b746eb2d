/** Asks a time stamping authority over HTTP (RFC 3161 3.4), and keeps its stamps beside the checkpoints. */
import { hash } from 'node:crypto';
import { answerTo, bytesOf } from '../outgoing/index.js';
import type { Store } from '../store/index.js';

interface StamperParts {
  readonly url: string;
  readonly store: Pick<Store, 'append'>;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly chance: { readonly bytes: (size: number) => Uint8Array };
  /** For a whole answer, in ms. */
  readonly timeout?: number;
}

export type Signed = { readonly session: string; readonly of: number; readonly statement: string };

const ANSWER_MS = 10_000;
/** A token with its certificates takes some KB. */
const LARGEST = 65_536;
const NONCE_BYTES = 8;

/** Digest by which a time stamp names its checkpoint, hex. */
export const statementDigest = (statement: string): string => hash('sha256', statement, 'hex');

/** Rejects where the authority cannot be reached, takes too long, says too much, or no. */
export function createStamper(parts: StamperParts): (signed: Signed) => Promise<void> {
  const { url, store, clock, chance, timeout = ANSWER_MS } = parts;
  return async ({ session, of, statement }) => {
    const { readTimeStampResponse, timeStampRequest } = await import('./time-stamp/index.js');
    const nonce = chance.bytes(NONCE_BYTES);
    const response = await ask(url, timeStampRequest(statement, nonce), timeout);
    const token = Buffer.from(readTimeStampResponse(response, statement, nonce)).toString('base64');
    const settings = { checkpoint: statementDigest(statement), token };
    const note = { at: clock(), kind: 'timestamp', settings } as const;
    await store.append({ notes: [{ session, of, note }], records: [], changes: [] });
  };
}

/** Not with `fetch`, which may forget its signal while an answer is read. */
async function ask(url: string, query: Uint8Array, timeout: number): Promise<Uint8Array> {
  const headers = { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' };
  const late = AbortSignal.timeout(timeout);
  try {
    const answer = await answerTo(new URL(url), { method: 'POST', headers, body: query, isOwn: true }, late);
    const bytes = await bytesOf(answer, LARGEST);
    if (bytes === null) throw new Error(`${url} answered more than ${LARGEST} bytes`);
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    return bytes;
  } catch (error) {
    throw late.aborted ? new Error(`${url} does not answer`) : error;
  }
}
