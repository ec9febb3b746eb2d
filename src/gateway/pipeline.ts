/** The way of a call, from its arrival to the recorded exchange that may be answered. */
import { Readable } from 'node:stream';
import {
  type AnswerContext,
  type Answered,
  type Answerer,
  answerRefusal,
  type ClientSignal,
} from '../answer/index.js';
import { BANK_BYTES, type BankChange, roomFor, type World } from '../bank/index.js';
import type { HeaderList } from '../exchange/index.js';
import { findingsForStranger, type Judged } from '../rules/index.js';
import { SandgateError } from '../spec/index.js';
import { type Awaitable, after, StoreMoved } from '../store/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { createSteps } from './create-steps.js';
import { answerFault, answerUnrecorded, NO_SOURCE_FAULT } from './faults.js';
import { holdEnd } from './hold-end.js';
import { inform } from './inform.js';
import { lookAway } from './sight.js';
import {
  type CallWorlds,
  type Closed,
  NOTHING_JUDGED,
  type Opened,
  type Outcome,
  type StepsParts,
} from './steps.js';
import { createTurnAway, type TurnAwayParts } from './turn-away.js';

export interface PipelineParts extends StepsParts, TurnAwayParts {
  readonly answerer: Answerer;
}

/** null: the client is gone, there is nobody to answer. */
export type Pipeline = (incoming: Incoming) => Promise<Outgoing | null>;

/**
 * Nothing is awaited up to the recorder where the answerer answers at once: judging a call and moving the ledger on
 * are one turn, so that calls side by side cannot each be the last one that the daily limit allows. Where the answer
 * takes its time, the call counts meanwhile. Whoever sends the call on has its beginning recorded first: no record, no
 * forwarding.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { answerer, stopwatch } = parts;
  const turnAway = createTurnAway(parts);
  const steps = createSteps(parts);

  function answerCall(
    { call, problem: unfit }: Opened,
    judged: Judged,
    incoming: Incoming,
    context: CallContext,
  ) {
    if (judged.refusal !== null) context.refusal = answerer.refusalOf?.(call, context) ?? judged.refusal;
    const canPass = incoming.unread === null || answerer.takesUnread?.(call) === true;
    // That a stranger names a session which it cannot have is not told in the place of its refusal.
    const isRefused = unfit !== null && turnAway.refuses(call, judged.findings);
    const problem = incoming.problem ?? (isRefused ? null : unfit) ?? (canPass ? null : incoming.unread);
    if (problem !== null) return answerFault(problem, call);
    const { refusal } = context;
    if (refusal !== null && parts.stance(call) === 'enforce')
      return {
        answer: answerRefusal(refusal, call, 'rule'),
        changes: answerer.changesOfRefused?.(call, context) ?? [],
      };
    return answerer.answer(call, context);
  }

  function storedFor({ call, world }: Opened): Awaitable<AnswerContext['stored']> {
    const { bodyOf } = parts.worlds;
    if (bodyOf === undefined) return undefined;
    const { tpp, operation, params } = call;
    const { paymentId = '' } = params;
    if (tpp === null || operation !== 'payments.read') return NOTHING_STORED;
    if (world.bank.bankBodies.peek(paymentId)?.tpp !== tpp) return NOTHING_STORED;
    return after(bodyOf(world, tpp, paymentId), (body) => ({ body }));
  }

  /** In the place of an answer that could not be recorded; nothing of that one may leave. */
  function unrecorded(
    { call, isBegun }: Opened,
    wasSent: boolean,
    { problem }: Incoming,
    error?: unknown,
  ): Outgoing | null {
    return problem?.status === null ? null : answerUnrecorded(call, { wasSent, isBegun }, error);
  }

  /** The head of the answer leaves as soon as it is on record that it does, its end when the exchange is kept. */
  async function stream(
    opened: Opened,
    judged: Judged,
    streamed: Streamed,
    incoming: Incoming,
  ): Promise<Outgoing | null> {
    const { answer, wire } = streamed;
    const { raw } = incoming;
    try {
      if (opened.isBegun !== true) await steps.begin(opened, judged, { must: true });
    } catch (error) {
      wire.destroy();
      steps.release(opened);
      return unrecorded(opened, true, incoming, error);
    }
    const kept = streamed.completed.then(async ({ body, fault }) => {
      const passed = (await raw?.endPassing()) ?? null;
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
      const { call, world } = opened;
      let judged: Judged = NOTHING_JUDGED;
      const context = new CallContext(world, incoming, call.at, parts.worlds, () =>
        steps.begin(opened, judged),
      );
      try {
        const stored = storedFor(opened);
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
        judged = steps.judge(opened);
        opened.asked = stopwatch();
        context.refusal = judged.refusal;
        context.findings = judged.findings;
        const given = answerCall(opened, judged, incoming, context);
        lookAway(opened.sight);
        if (given instanceof Promise) steps.wait(opened);
        answered = (given instanceof Promise ? await given : given) ?? answerFault(NO_SOURCE_FAULT, call);
        if (isStreamed(answered)) return await stream(opened, judged, answered, incoming);
        answered = withoutReader(answered);
        const { answer = null, fault = null, changes = [] } = answered;
        const ending = incoming.raw?.endPassing() ?? null;
        const passed = ending === null ? null : await ending;
        if (!context.wasSent) steps.checkSight(opened);
        outcome = { answer, fault, passed, changes };
        closed = steps.close(opened, judged, outcome);
      } catch (error) {
        if (error instanceof StoreMoved && !context.wasSent) {
          steps.release(opened);
          opened = steps.reopen(opened);
          continue;
        }
        if (context.wasHeldBack) {
          steps.release(opened);
          return unrecorded(opened, context.wasSent, incoming);
        }
        judged = NOTHING_JUDGED;
        ({ answered, closed } = steps.fail(opened, error));
      }
      // What was begun gets its end, whoever called.
      const isRecorded = context.wasSent || opened.isBegun === true || steps.mayRecord(closed);
      try {
        if (isRecorded) await steps.keep(closed);
      } catch (error) {
        if (!(error instanceof StoreMoved)) return unrecorded(opened, context.wasSent, incoming, error);
        if (!context.wasSent) {
          opened = steps.reopen(opened);
          continue;
        }
        parts.others?.onJudgedAnew(call);
        // It was sent, and cannot be sent again: the answer stays, and is judged and learned from anew.
        try {
          const { answer = null, fault = null } = answered;
          await steps.keepOutcome(opened, judged, outcome ?? { answer, fault });
        } catch {
          return unrecorded(opened, true, incoming);
        }
      }
      const { answer, wire, isToStranger } = answered;
      if (answer === undefined) return null;
      const findings = isToStranger === true ? findingsForStranger(judged.findings) : judged.findings;
      return { exchange: isRecorded ? call.id : null, answer, wire, findings };
    }
  };
}

const NOTHING_STORED = { body: null } as const;

/** A class, because its getters are made once and not for each call. */
class CallContext implements AnswerContext {
  readonly ledger: World['ledger'];
  readonly bank: World['bank'];
  refusal: Judged['refusal'] = null;
  findings: Judged['findings'] = [];
  readonly now: number;
  stored: AnswerContext['stored'];
  wasSent = false;
  /** It could not be recorded that the call is about to be sent on, so it was not. */
  wasHeldBack = false;
  readonly #incoming: Incoming;
  readonly #worlds: CallWorlds;
  readonly #begin: () => Promise<boolean>;

  constructor(
    { ledger, bank }: World,
    incoming: Incoming,
    now: number,
    worlds: CallWorlds,
    begin: () => Promise<boolean>,
  ) {
    this.ledger = ledger;
    this.bank = bank;
    this.now = now;
    this.#incoming = incoming;
    this.#worlds = worlds;
    this.#begin = begin;
  }

  begin(): Promise<boolean> {
    return this.#begin().then(
      (isInTime) => {
        this.wasSent ||= isInTime;
        return isInTime;
      },
      (error) => {
        this.wasHeldBack = true;
        throw error;
      },
    );
  }

  room(tpp: string, changes: readonly BankChange[]): readonly BankChange[] | null {
    const elsewhere: World['bank'][] = [];
    for (const { bank } of this.#worlds.open?.() ?? []) if (bank !== this.bank) elsewhere.push(bank);
    return roomFor(this.bank, tpp, changes, this.now, { ...BANK_BYTES, elsewhere });
  }

  get signal(): ClientSignal {
    return this.#incoming.gone;
  }

  get raw(): Uint8Array | undefined {
    return this.#incoming.raw?.bytes;
  }

  get rest(): Readable | undefined {
    return this.#incoming.raw?.rest?.();
  }

  inform(status: number, headers: HeaderList): void {
    const { response } = this.#incoming;
    if (response !== undefined) inform(response, status, headers);
  }
}

type Streamed = Answered & Required<Pick<Answered, 'completed'>> & { readonly wire: Readable };

function isStreamed(answered: Partial<Answered>): answered is Streamed {
  return answered.completed !== undefined && answered.wire instanceof Readable;
}

function withoutReader(answered: Partial<Answered>): Partial<Answered> {
  const { fault } = answered;
  return fault?.kind === 'client-gone' ? { fault } : answered;
}
