/** A body too large to be read whole: streamed to the bank, and counted. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBodyTally, type PassedBody, passBody } from '../answer/index.js';
import type { RawBody } from './arrivals.js';

const PREFIX_BYTES = 16_384;

/** `chunks` were read before; the request is paused. `onPass` is called once, before more is taken in. */
export function createPassing(
  request: IncomingMessage,
  chunks: readonly Buffer[],
  onPass: () => void,
): RawBody {
  let passed: PassedBody | null = null;
  const open = (): PassedBody => {
    const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
    const tally = createBodyTally(isPlain ? PREFIX_BYTES : 0);
    for (const chunk of chunks) tally.add(chunk);
    onPass();
    const made = passBody(request, tally);
    // Its end would not be told any more.
    if (request.destroyed) made.stream.destroy();
    return made;
  };
  return {
    bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
    rest: (): Readable => {
      passed ??= open();
      return passed.stream;
    },
    endPassing: () => {
      passed?.stream.destroy();
      return passed?.ended ?? null;
    },
  };
}
