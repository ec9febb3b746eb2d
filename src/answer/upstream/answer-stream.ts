/** Streams the body of an answer to the TPP at its pace, and counts it. */
import { Readable } from 'node:stream';
import type { BodyTally } from './body-tally.js';
import type { StreamEnd } from './received.js';

const AHEAD_BYTES = 65_536;

export interface AnswerStream {
  readonly stream: Readable;
  readonly ended: Promise<StreamEnd>;
  /** False where the reader lags behind. */
  readonly push: (chunk: Buffer) => boolean;
  /** `error` is null where the answer came to its end. Only the first call counts. */
  readonly finish: (error: Error | null) => void;
}

export interface AnswerStreamParts {
  readonly tally: BodyTally;
  /** The reader has caught up. */
  readonly onReady: () => void;
  /** The reader wants no more. */
  readonly onDropped: () => void;
}

export function createAnswerStream({ tally, onReady, onDropped }: AnswerStreamParts): AnswerStream {
  let finished = false;
  let settle: (end: StreamEnd) => void = () => {};
  const ended = new Promise<StreamEnd>((resolve) => {
    settle = resolve;
  });
  const stream = new Readable({
    highWaterMark: AHEAD_BYTES,
    read: onReady,
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
    push: (chunk) => {
      if (finished) return false;
      tally.add(chunk);
      return stream.push(chunk);
    },
    finish: (error) => {
      if (finished) return;
      finished = true;
      settle({ body: tally.body(), error });
      if (error === null) stream.push(null);
      else stream.destroy(error);
    },
  };
}
