/** Bodies that pass without being held in memory: streamed at the pace of who reads, counted and hashed for the record. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Body } from '../../exchange/index.js';
import type { StreamEnd } from './received.js';

const AHEAD_BYTES = 65_536;

type BodyTally = ReturnType<typeof createBodyTally>;

/** Up to `prefixBytes` are kept as text, where they are UTF-8; give 0 for a coded body. */
export function createBodyTally(prefixBytes: number) {
  const hash = createHash('sha256');
  let size = 0;
  let kept = 0;
  const prefix: Uint8Array[] = [];
  return {
    add: (chunk: Uint8Array): void => {
      hash.update(chunk);
      size += chunk.length;
      if (kept >= prefixBytes) return;
      // A copy: a piece of a socket's buffer would hold on to all of it.
      const piece = Uint8Array.prototype.slice.call(chunk, 0, prefixBytes - kept);
      kept += piece.length;
      prefix.push(piece);
    },
    size: () => size,
    /** Ends the count. */
    body: (): Body => ({
      text: textOf(Buffer.concat(prefix)),
      size,
      truncated: true,
      sha256: hash.digest('hex'),
    }),
  };
}

/** Without the character that the cut divided. */
function textOf(bytes: Buffer): string {
  const whole = bytes.subarray(0, lastBoundary(bytes));
  return isUtf8(whole) ? whole.toString('utf8') : '';
}

function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export type PassedBody = ReturnType<typeof passBody>;

/**
 * The rest of a large request body, for the bank. What was read before belongs into the tally first. The source is left
 * alone when the stream is dropped, so that a client whose body the bank does not want can still be answered.
 */
export function passBody(source: Readable, tally: BodyTally) {
  let finished = false;
  let settle: (body: Body) => void = () => {};
  const ended = new Promise<Body>((resolve) => {
    settle = resolve;
  });
  const onData = (chunk: Buffer) => {
    tally.add(chunk);
    if (!stream.push(chunk)) source.pause();
  };
  const onEnd = () => {
    finish();
    stream.push(null);
  };
  const onBroken = () => stream.destroy(new Error('the client broke off'));
  const finish = () => {
    if (finished) return;
    finished = true;
    source.off('data', onData).off('end', onEnd).off('close', onBroken).off('error', onBroken);
    source.on('error', () => {});
    settle(tally.body());
  };
  const stream: Readable = new Readable({
    read: () => void source.resume(),
    destroy: (error, callback) => {
      finish();
      source.pause();
      callback(error);
    },
  });
  stream.on('error', () => {});
  source.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken);
  source.pause();
  return {
    stream,
    /** Resolves when both bodies have passed, or one side stops. Never rejects. */
    ended,
  };
}

interface Reader {
  readonly tally: BodyTally;
  readonly onCaughtUp: () => void;
  /** It wants no more. */
  readonly onDropped: () => void;
}

export type AnswerStream = ReturnType<typeof createAnswerStream>;

/** The body of an answer, for the TPP. */
export function createAnswerStream({ tally, onCaughtUp, onDropped }: Reader) {
  let finished = false;
  let settle: (end: StreamEnd) => void = () => {};
  const ended = new Promise<StreamEnd>((resolve) => {
    settle = resolve;
  });
  const stream = new Readable({
    highWaterMark: AHEAD_BYTES,
    read: onCaughtUp,
    destroy: (error, callback) => {
      if (!finished) onDropped();
      callback(error);
    },
  });
  // It may break off before anyone reads it; `ended` tells.
  stream.on('error', () => {});
  return {
    stream,
    ended,
    /** False where the reader lags behind. */
    push: (chunk: Buffer): boolean => {
      if (finished) return false;
      tally.add(chunk);
      return stream.push(chunk);
    },
    /** `error` is null where the answer came to its end. Only the first call counts. */
    finish: (error: Error | null): void => {
      if (finished) return;
      finished = true;
      settle({ body: tally.body(), error });
      if (error === null) stream.push(null);
      else stream.destroy(error);
    },
  };
}
