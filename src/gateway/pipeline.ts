/** The way of a call, from its arrival to the recorded exchange that may be answered. */
import { findingsForStranger } from '../rules/index.js';
import { StoreMoved } from '../store/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { type AskingParts, createAsk } from './ask.js';
import { answerFault, answerUnrecorded, NO_SOURCE_FAULT } from './faults.js';
import type { Opened } from './opened.js';
import { type Closed, createSteps } from './steps.js';
import { createStream, isStreamed } from './stream.js';

export type PipelineParts = AskingParts;

/** null: the client is gone, there is nobody to answer. */
export type Pipeline = (incoming: Incoming) => Promise<Outgoing | null>;

/**
 * Opens a call, judges it, has it answered, closes it and keeps it. If the source answers at once, nothing is awaited up to
 * the recorder: the call is judged and the ledger moved on in one turn of the event loop, so that two calls cannot both be
 * the last one that the daily limit allows. If the answer takes its time, the call counts meanwhile. A source that sends the
 * call on has its beginning recorded first: no record, no forwarding.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const steps = createSteps(parts);
  const refuseOrAsk = createAsk(parts, steps);
  const stream = createStream(parts, steps);

  async function answerAndKeep(opened: Opened, incoming: Incoming): Promise<Outgoing | null> {
    let closed: Closed | null;
    try {
      const asked = parts.askAhead?.('call', opened.call, null, opened.world);
      if (asked !== undefined) await asked;
      if (!steps.canRecord(opened)) return answerUnrecorded(opened, incoming);
      steps.judge(opened);
      const answering = refuseOrAsk(opened, incoming);
      const given = answering instanceof Promise ? await steps.hold(opened, answering) : answering;
      const answered = given ?? answerFault(NO_SOURCE_FAULT, opened.call);
      if (isStreamed(answered)) return await stream(opened, incoming, answered);
      // An answer that changes the living bank is kept in the turn that made it: nothing is asked about it.
      const isKeptAtOnce = answered.changes !== undefined && answered.changes.length > 0;
      const looking = isKeptAtOnce
        ? undefined
        : parts.askAhead?.('exchange', opened.call, answered.answer ?? null, opened.world);
      if (looking !== undefined) await steps.hold(opened, looking);
      const passing = incoming.raw?.endPassing() ?? null;
      const passed = passing === null ? null : await passing;
      steps.checkReads(opened);
      closed = steps.close(opened, answered, passed);
    } catch (error) {
      closed = steps.fail(opened, error);
    }
    if (closed === null) return answerUnrecorded(opened, incoming);
    try {
      const keeping = steps.keep(closed);
      if (keeping !== null) await keeping;
      return outgoingOf(closed, keeping !== null);
    } catch (error) {
      if (!opened.wasSent) {
        if (error instanceof StoreMoved) throw error;
        parts.onUnrecorded(opened.call.session);
      }
      return answerUnrecorded(opened, incoming, error);
    }
  }

  /** Judges and answers anew what another gateway was faster with, until it can be kept. */
  async function retry(first: Opened, incoming: Incoming): Promise<Outgoing | null> {
    for (let opened = first; ; opened = await steps.reopen(opened)) {
      try {
        return await answerAndKeep(opened, incoming);
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
      }
    }
  }

  // A gateway that is alone is spared the promise of the retry.
  const answer = parts.others === undefined ? answerAndKeep : retry;
  return (incoming) => {
    const opened = steps.open(incoming);
    return opened instanceof Promise ? opened.then((one) => answer(one, incoming)) : answer(opened, incoming);
  };
}

function outgoingOf({ opened, exchange, answered }: Closed, isRecorded: boolean): Outgoing | null {
  const { injected } = answered;
  // What an injected fault cuts off is sent up to there.
  const answer = exchange.answer ?? (injected === undefined ? null : (answered.answer ?? null));
  if (answer === null) return null;
  const { findings } = opened.judged;
  const shown = answered.isToStranger === true ? findingsForStranger(findings) : findings;
  const id = isRecorded ? exchange.call.id : null;
  return { exchange: id, answer, wire: answered.wire, findings: shown, injected };
}
