/** An answer that is passed on while it arrives. */
import { pipeline, Readable, Transform } from 'node:stream';
import type { Answered } from '../answer/index.js';
import { SandgateError } from '../spec/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { answerUnrecorded } from './faults.js';
import type { Opened, StepsParts } from './opened.js';
import type { Steps } from './steps.js';

type Streamed = Answered & Required<Pick<Answered, 'completed'>> & { readonly wire: Readable };

export const isStreamed = (answered: Partial<Answered>): answered is Streamed =>
  answered.completed !== undefined && answered.wire instanceof Readable;

/** The head of the answer leaves as soon as it is on record that it does, its end when the exchange is kept. */
export function createStream({ onInternalError }: Pick<StepsParts, 'onInternalError'>, steps: Steps) {
  return async function stream(
    opened: Opened,
    incoming: Incoming,
    { answer, wire, completed }: Streamed,
  ): Promise<Outgoing | null> {
    try {
      if (!opened.isBegun) await steps.begin(opened, true);
    } catch (error) {
      wire.destroy();
      steps.release(opened);
      return answerUnrecorded(opened, incoming, error);
    }
    const kept = completed.then(async ({ body, fault }) => {
      const passed = (await incoming.raw?.endPassing()) ?? null;
      const whole = { answer: answer.with(answer.headers, body), ...(fault === null ? {} : { fault }) };
      await steps.keepSent(opened, whole, passed);
    });
    kept.catch((error) => {
      steps.release(opened);
      if (!(error instanceof SandgateError)) onInternalError(error, opened.call);
    });
    const { call, judged } = opened;
    return { exchange: call.id, answer, wire: holdEnd(wire, kept), findings: judged.findings };
  };
}

/** `kept` rejects: the answer breaks off before its end. */
function holdEnd(source: Readable, kept: Promise<void>): Readable {
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
