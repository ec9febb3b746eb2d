/** Streams the rest of a large request body to the bank, and counts it. */
import { Readable } from 'node:stream';
import type { Body } from '../../exchange/index.js';
import type { BodyTally } from './body-tally.js';

export interface PassedBody {
  readonly stream: Readable;
  /** What has passed, when all has, or when one side wants or gives no more. Never rejects. */
  readonly ended: Promise<Body>;
}

/**
 * What was read before belongs into the tally first. The source is left alone when the stream is dropped, so that a
 * client whose body the bank does not want can still be answered.
 */
export function passBody(source: Readable, tally: BodyTally): PassedBody {
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
  const stream = new Readable({
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
  return { stream, ended };
}
