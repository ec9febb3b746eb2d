/** Who answers a call: the gateway for a fault, a rule for a refusal, else a source. */
import type { Readable } from 'node:stream';
import {
  type AnswerContext,
  type Answered,
  type Answerer,
  answerRefusal,
  type ClientSignal,
} from '../answer/index.js';
import { BANK_BYTES, type BankChange, roomFor, type World } from '../bank/index.js';
import { type Call, type HeaderList, openCall, splitTarget } from '../exchange/index.js';
import { type Finding, type Judged, refusesConnection } from '../rules/index.js';
import type { Weather } from '../weather/index.js';
import type { Incoming } from './arrivals.js';
import { answerFault } from './faults.js';
import type { CallWorlds, Opened, StepsParts } from './opened.js';
import { inform } from './reply.js';
import type { Steps } from './steps.js';
import { isKnownCaller } from './strangers.js';

export interface AskingParts extends StepsParts {
  /** `enforce`: a violated must refuses the call. */
  readonly stance: (call: Call) => 'enforce' | 'observe';
  readonly answerer: Answerer;
  /** Faults that operators set. */
  readonly weather?: Pick<Weather, 'meet'> | undefined;
}

/** Some callers are refused for their certificate, whatever else their call holds. */
export function createTurnAway(
  parts: Pick<AskingParts, 'judge' | 'recognise' | 'worlds' | 'stance' | 'answerer'>,
) {
  const { judge, answerer, worlds } = parts;
  const refuses = (call: Call, findings: readonly Finding[]): boolean =>
    refusesConnection(findings) &&
    (parts.stance(call) === 'enforce' || answerer.refusesStrangers?.(call) === true);
  return {
    refuses,
    /** Asked before the body is read. */
    refusesUnread: (
      head: Pick<Incoming, 'listener' | 'peer' | 'at' | 'ahead' | 'method' | 'target' | 'headers'>,
    ): boolean => {
      const { listener, peer, at, ahead, method, target, headers } = head;
      if (listener !== 'api' || isKnownCaller(peer.certificate)) return false;
      const call = openCall(
        { id: '', session: '', at, ahead, listener, ...peer, method, target, headers, body: null },
        parts.recognise(listener, method, splitTarget(target).path),
      );
      return refuses(call, judge.judgeCall(call, worlds.of(null).ledger).findings);
    },
  };
}

export type TurnAway = ReturnType<typeof createTurnAway>;

/** Refuses a call in the place of its source, or asks the source. */
export function createAsk(parts: AskingParts, steps: Steps) {
  const { answerer, weather } = parts;
  const turnAway = createTurnAway(parts);
  return function refuseOrAsk(
    opened: Opened,
    incoming: Incoming,
  ): ReturnType<Answerer['answer']> | Partial<Answered> {
    const { call, judged, problem: sessionProblem } = opened;
    const context = new CallContext(opened, incoming, steps, parts.worlds);
    if (judged.refusal !== null) context.refusal = answerer.refusalOf?.(call, context) ?? judged.refusal;
    const canPass = incoming.unread === null || answerer.takesUnread?.(call) === true;
    // A stranger is refused first: it need not learn that it cannot have a session.
    const isRefused = sessionProblem !== null && turnAway.refuses(call, judged.findings);
    const problem =
      incoming.problem ?? (isRefused ? null : sessionProblem) ?? (canPass ? null : incoming.unread);
    if (problem !== null) return answerFault(problem, call);
    const { refusal } = context;
    if (refusal !== null && parts.stance(call) === 'enforce')
      return {
        answer: answerRefusal(refusal, call, 'rule'),
        changes: answerer.changesOfRefused?.(call, context) ?? [],
      };
    if (weather === undefined) return answerer.answer(call, context);
    return weather.meet(call, opened.world, () => answerer.answer(call, context));
  };
}

/** A source sees a call through this. It is a class, because its getters are made once and not for each call. */
class CallContext implements AnswerContext {
  readonly ledger: World['ledger'];
  readonly bank: World['bank'];
  readonly now: number;
  readonly stored: AnswerContext['stored'];
  refusal: Judged['refusal'];
  readonly #incoming: Incoming;
  readonly #opened: Opened;
  readonly #steps: Steps;
  readonly #worlds: CallWorlds;

  constructor(opened: Opened, incoming: Incoming, steps: Steps, worlds: CallWorlds) {
    this.ledger = opened.world.ledger;
    this.bank = opened.world.bank;
    this.now = opened.call.at;
    this.stored = opened.stored;
    this.refusal = opened.judged.refusal;
    this.#incoming = incoming;
    this.#opened = opened;
    this.#steps = steps;
    this.#worlds = worlds;
  }

  get findings(): Judged['findings'] {
    return this.#opened.judged.findings;
  }

  begin(): Promise<boolean> {
    return this.#steps.begin(this.#opened);
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

  heard(): void {
    this.#steps.heard(this.#opened);
  }
}
