/** The way of a call, from its arrival to the recorded exchange that may be answered. */
import { Readable } from 'node:stream';
import type { Answered } from '../answer/index.js';
import { findingsForStranger, type Judged } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import { StoreMoved } from '../store/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { type AskingParts, CallContext, createAsk, storedFor } from './ask.js';
import { answerFault, answerUnrecorded, NO_SOURCE_FAULT } from './faults.js';
import type { Opened } from './open-call.js';
import { holdEnd } from './reply.js';
import { type Closed, createSteps, NOTHING_JUDGED, type Outcome } from './steps.js';

export type PipelineParts = AskingParts;

/** null: the client is gone, there is nobody to answer. */
export type Pipeline = (incoming: Incoming) => Promise<Outgoing | null>;

/**
 * Opens a call, judges it, has it answered, closes it and keeps it. Nothing is awaited up to the recorder where the source
 * answers at once: judging a call and moving the ledger on are one turn, so that calls side by side cannot each be the last
 * one that the daily limit allows. Where the answer takes its time, the call counts meanwhile. Whoever sends the call on has
 * its beginning recorded first: no record, no forwarding.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const steps = createSteps(parts);
  const refuseOrAsk = createAsk(parts);

  /** Rejects with a StoreMoved where another gateway moved on what it rests on, and nothing was sent. */
  async function judgeAnswerKeep(opened: Opened, incoming: Incoming): Promise<Outgoing | null> {
    const context = new CallContext(opened, incoming, steps, parts.worlds);
    try {
      const stored = storedFor(opened, parts.worlds);
      context.stored = stored instanceof Promise ? await stored : stored;
    } catch (error) {
      if (!(error instanceof SandgateError)) throw error;
      parts.onUnrecorded();
      return unrecorded(opened, false, incoming, error);
    }
    let answered: Partial<Answered>;
    let outcome: Outcome | null = null;
    let closed: Closed;
    try {
      context.judged = steps.judge(opened);
      context.refusal = context.judged.refusal;
      opened.asked = parts.stopwatch();
      const answering = refuseOrAsk(opened, context);
      steps.endReading(opened);
      if (answering instanceof Promise) steps.hold(opened);
      const ofSource = answering instanceof Promise ? await answering : answering;
      answered = ofSource ?? answerFault(NO_SOURCE_FAULT, opened.call);
      if (isStreamed(answered)) return await stream(opened, context, answered);
      answered = withoutReader(answered);
      const { answer = null, fault = null, changes = [] } = answered;
      const ending = incoming.raw?.endPassing() ?? null;
      outcome = { answer, fault, passed: ending === null ? null : await ending, changes };
      if (!context.wasSent) steps.checkReads(opened);
      closed = steps.close(opened, context.judged, outcome);
    } catch (error) {
      if (error instanceof StoreMoved && !context.wasSent) {
        steps.release(opened);
        throw error;
      }
      if (context.wasHeldBack) {
        steps.release(opened);
        return unrecorded(opened, context.wasSent, incoming);
      }
      context.judged = NOTHING_JUDGED;
      ({ answered, closed } = steps.fail(opened, error));
    }
    // What was begun gets its end, whoever called.
    const isRecorded = context.wasSent || opened.isBegun === true || steps.mayRecord(closed);
    try {
      if (isRecorded) await steps.keep(closed);
    } catch (error) {
      if (!(error instanceof StoreMoved)) return unrecorded(opened, context.wasSent, incoming, error);
      if (!context.wasSent) throw error;
      // It was sent, and cannot be sent again: the answer stays, and is judged and folded anew.
      parts.others?.onJudgedAnew(opened.call);
      const { answer = null, fault = null } = answered;
      try {
        await steps.keepOutcome(opened, context.judged, outcome ?? { answer, fault });
      } catch {
        return unrecorded(opened, true, incoming);
      }
    }
    return outgoingOf(answered, context.judged, isRecorded ? opened.call.id : null);
  }

  /** The head of the answer leaves as soon as it is on record that it does, its end when the exchange is kept. */
  async function stream(opened: Opened, context: CallContext, streamed: Streamed): Promise<Outgoing | null> {
    const { answer, wire } = streamed;
    const { incoming, judged } = context;
    try {
      if (opened.isBegun !== true) await steps.begin(opened, judged, true);
    } catch (error) {
      wire.destroy();
      steps.release(opened);
      return unrecorded(opened, true, incoming, error);
    }
    const kept = streamed.completed.then(async ({ body, fault }) => {
      const passed = (await incoming.raw?.endPassing()) ?? null;
      const outcome = { answer: answer.with(answer.headers, body), fault, passed };
      await steps.keepOutcome(opened, judged, outcome);
    });
    kept.catch((error) => {
      steps.release(opened);
      if (!(error instanceof SandgateError)) parts.onInternalError(error, opened.call);
    });
    return { exchange: opened.call.id, answer, wire: holdEnd(wire, kept), findings: judged.findings };
  }

  return async (incoming) => {
    const opening = steps.open(incoming);
    let opened = opening instanceof Promise ? await opening : opening;
    if (opened.isWorldUnknown || parts.recorder.problem() !== null) {
      parts.onUnrecorded();
      return unrecorded(opened, false, incoming);
    }
    for (;;) {
      try {
        return await judgeAnswerKeep(opened, incoming);
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
        opened = steps.reopen(opened);
      }
    }
  };
}

/** Stands in the place of an answer that could not be recorded; nothing of that one may leave. */
function unrecorded(
  { call, isBegun }: Opened,
  wasSent: boolean,
  { problem }: Incoming,
  error?: unknown,
): Outgoing | null {
  return problem?.status === null ? null : answerUnrecorded(call, { wasSent, isBegun }, error);
}

function outgoingOf(
  { answer, wire, isToStranger }: Partial<Answered>,
  { findings }: Judged,
  exchange: string | null,
): Outgoing | null {
  if (answer === undefined) return null;
  return {
    exchange,
    answer,
    wire,
    findings: isToStranger === true ? findingsForStranger(findings) : findings,
  };
}

type Streamed = Answered & Required<Pick<Answered, 'completed'>> & { readonly wire: Readable };

const isStreamed = (answered: Partial<Answered>): answered is Streamed =>
  answered.completed !== undefined && answered.wire instanceof Readable;

/** An answer that nobody waits for is none. */
function withoutReader(answered: Partial<Answered>): Partial<Answered> {
  const { fault } = answered;
  return fault?.kind === 'client-gone' ? { fault } : answered;
}
