/** Hands checkpoints on: to a time stamping authority (RFC 3161 3.4), and to where those who hold the store cannot take them back. */

import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { readStream } from '../files/index.js';
import { answerTo } from '../outgoing/index.js';
import type { Store } from '../store/index.js';

interface AuthorityParts {
  readonly url: string;
  readonly chance: { readonly bytes: (size: number) => Uint8Array };
  readonly timeout?: number;
}

interface StamperParts extends AuthorityParts {
  readonly store: Pick<Store, 'append'>;
  /** Epoch ms. */
  readonly clock: () => number;
}

export type Signed = { readonly session: string; readonly of: number; readonly statement: string };

const ANSWER_MS = 10_000;
/** A token with its certificates takes some KB. */
const LARGEST = 65_536;
const NONCE_BYTES = 8;

export const statementDigest = (statement: string): string => hash('sha256', statement, 'hex');

/** The token of the authority over `content`, DER. Rejects where it cannot be reached, takes too long, says too much, or no. */
export async function askForTimeStamp(
  { url, chance, timeout = ANSWER_MS }: AuthorityParts,
  content: string | Uint8Array,
): Promise<Uint8Array> {
  const { readTimeStampResponse, timeStampRequest } = await import('./time-stamp/index.js');
  const nonce = chance.bytes(NONCE_BYTES);
  const response = await ask(url, timeStampRequest(content, nonce), timeout);
  return readTimeStampResponse(response, content, nonce);
}

/** Rejects as `askForTimeStamp` does. */
export function createStamper(parts: StamperParts): (signed: Signed) => Promise<void> {
  const { store, clock } = parts;
  return async ({ session, of, statement }) => {
    const token = Buffer.from(await askForTimeStamp(parts, statement)).toString('base64');
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
    const bytes = await readStream(answer, LARGEST);
    if (bytes === null) throw new Error(`${url} answered more than ${LARGEST} bytes`);
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    return bytes;
  } catch (error) {
    throw late.aborted ? new Error(`${url} does not answer`) : error;
  }
}

/** A command that has not ended by then is ended. */
const COMMAND_MS = 10_000;

/**
 * @param to a file that each checkpoint is added to as a line; after a leading `|` a command for the shell, which gets
 *   one on standard input each time
 */
export function publisherTo(to: string): (statement: string) => Promise<void> {
  if (!to.startsWith('|')) return (statement) => appendFile(to, statement, { mode: 0o600 });
  return (statement) => runWith(to.slice(1), statement);
}

function runWith(command: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'], timeout: COMMAND_MS });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`the command ended with ${signal ?? `status ${code}`}`));
    });
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

export type Queue<T> = ReturnType<typeof createQueue<T>>;

const MOST_WAITING = 1_000;

export function createQueue<T>(work: (item: T) => Promise<void>, onProblem: (error: unknown) => void) {
  const waiting: T[] = [];
  let running: Promise<void> | null = null;
  let isClosing = false;
  const run = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        onProblem(error);
        // Nobody waits for a place that hangs to fail once for each.
        if (isClosing) waiting.length = 0;
      }
    }
    running = null;
  };
  return {
    /** Returns at once; a failure is reported, and does not keep the next item back. */
    add: (item: T): void => {
      waiting.push(item);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        onProblem(new Error(`more than ${MOST_WAITING} checkpoints wait`));
      }
      running ??= run();
    },
    close: async (): Promise<void> => {
      isClosing = true;
      await running;
    },
  };
}
