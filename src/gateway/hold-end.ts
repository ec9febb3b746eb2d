/**
 * Holds the last piece of a streamed answer back until the exchange is committed, so that a client that has all of it
 * can rely on the recording.
 */
import { pipeline, type Readable, Transform } from 'node:stream';

/** `kept` rejects: the answer breaks off before its end. */
export function holdEnd(source: Readable, kept: Promise<void>): Readable {
  let held: Buffer | null = null;
  const hold = new Transform({
    transform: (chunk: Buffer, _, callback) => {
      const before = held;
      held = chunk;
      callback(null, before);
    },
    flush: (callback) => {
      kept.then(
        () => callback(null, held),
        () => callback(new Error('the exchange could not be recorded')),
      );
    },
  });
  // Whichever breaks off takes the other with it; `hold` tells whoever reads it.
  pipeline(source, hold, () => {});
  return hold;
}
