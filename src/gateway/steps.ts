/** The steps of every call: it is opened, judged, closed with its answer, and kept. */
import type { Answered } from '../answer/index.js';
import { applyFacts, COMMON_PARTITION, type FactChange, factsBack, type World } from '../bank/index.js';
import { arrivedAt, type Body, type Call, closeCall, type Exchange } from '../exchange/index.js';
import {
  advance,
  giveBack,
  type LedgerState,
  leavesNoTrace,
  ownerOf,
  reserve,
  useFact,
  withScope,
} from '../ledger/index.js';
import type { Judged } from '../rules/index.js';
import { COMMON_WORLD, changesOf, placedChanges, StoreMoved } from '../store/index.js';
import { answerFault, INTERNAL_FAULT, injectedFault, UNFINISHED } from './faults.js';
import { createOpening } from './open-call.js';
import { NOTHING_JUDGED, type Opened, type StepsParts } from './opened.js';
import { basisOf, checkReads, note, stopNoting } from './reads.js';
import { createRefusalLimit, withoutLargeBody } from './strangers.js';

/** A call with its answer, ready to be kept. */
export interface Closed {
  readonly opened: Opened;
  readonly answered: Partial<Answered>;
  /** The body of the request, where it was not known whole when the call was opened. */
  readonly passed: Body | null;
  readonly exchange: Exchange;
  /** The verdicts on the call and on its answer. */
  readonly judged: Judged;
  readonly changes: readonly FactChange[];
  /** These undo the changes. */
  readonly changesBack: readonly FactChange[];
}

export type Steps = ReturnType<typeof createSteps>;

const NO_TIME: Exchange['elapsed'] = { total: 0, answerer: 0 };

export function createSteps(parts: StepsParts) {
  const { judge, fingerprint, recorder, stopwatch, others } = parts;
  const mayKeepRefusal = createRefusalLimit();
  const opening = createOpening(parts);

  const elapsedOf = (opened: Opened) => elapsedUntil(stopwatch(), opened);

  const ledgerFor = (call: Call, { ledger }: World): LedgerState => {
    ledger.beganLater = parts.answerer.knowsMore?.(call) === true;
    return ledger;
  };

  function endHold(opened: Opened): void {
    if (opened.held === undefined) return;
    giveBack(opened.world.ledger, opened.held);
    opened.held = undefined;
  }

  const reserved = (opened: Opened) => {
    opened.held ??= reserve(opened.world.ledger, opened.call, fingerprint);
    return opened.held;
  };

  /** Moves the world on by changes of a call that has ended; gives those that undo them. */
  function moveOn(opened: Opened, changes: FactChange[]): FactChange[] {
    const { call, world, reads, isBegun } = opened;
    if (isBegun && reads !== undefined) changes.push(endOfUse(call.id));
    const changesBack = factsBack(world, changes);
    applyFacts(world, changes);
    stopNoting(opened);
    return changesBack;
  }

  /** Among other gateways it is recorded with what the call uses up, for them to count. */
  async function recordBeginning(opened: Opened): Promise<void> {
    const { call, world, reads, judged } = opened;
    checkReads(opened);
    const uses: FactChange[] = [];
    if (reads !== undefined && others !== undefined) {
      opened.countsUntil = others.clock() + others.longestBegin + others.longestCall;
      const fact = useFact(call, reserved(opened), opened.countsUntil);
      uses.push({ family: 'uses', key: call.id, fact });
    }
    const back = factsBack(world, uses);
    applyFacts(world, uses);
    const undo = () => applyFacts(world, back);
    note(opened);
    const exchange = scoped(parts, closeCall(call, null, NO_TIME, UNFINISHED), world);
    parts.underWay?.add(call.id);
    await recorder.begin(exchange, judged, placedChanges(world.name, uses, back), undo, basisOf(reads));
    opened.isBegun = true;
  }

  /** Uses whose gateway ended without ending them; `machine`: epoch ms by the machine's clock. */
  function dropEndedUses(world: World, machine: number): void {
    const ended: FactChange[] = [];
    for (const { call, until } of world.ledger.uses.values()) {
      if (until > machine) break;
      ended.push(endOfUse(call));
    }
    if (ended.length === 0) return;
    const back = factsBack(world, ended);
    const undo = () => applyFacts(world, back);
    applyFacts(world, ended);
    const basis = { world: world.name, partitions: [] };
    others?.remember(placedChanges(world.name, ended, back), undo, basis).catch(() => {});
  }

  function record({ opened, exchange, judged, changes, changesBack }: Closed): Promise<void> {
    const { world, reads } = opened;
    const kept = recorder.take(
      withoutLargeBody(exchange),
      judged,
      reads === undefined ? changesOf(world.name, changes) : placedChanges(world.name, changes, changesBack),
      () => applyFacts(world, changesBack),
      basisOf(reads),
    );
    // Nobody hears of most calls: each of them would pay for a promise.
    if (opened.isBegun || parts.onRecorded !== undefined)
      kept.then(
        () => {
          parts.underWay?.delete(exchange.call.id);
          parts.onRecorded?.(exchange, judged);
        },
        (error) => {
          if (!(error instanceof StoreMoved)) parts.underWay?.delete(exchange.call.id);
        },
      );
    return kept;
  }

  const steps = {
    ...opening,
    canRecord: ({ isWorldUnknown, call }: Opened): boolean => {
      if (!isWorldUnknown && recorder.problem() === null) return true;
      parts.onUnrecorded(call.session);
      return false;
    },
    /** Judges by what is known now. The source is to be asked at once, before anything else happens in the world. */
    judge: (opened: Opened): void => {
      const { call, world } = opened;
      if (world.known != null) {
        dropEndedUses(world, arrivedAt(call));
        const partitions = new Set([ownerOf(call) ?? COMMON_PARTITION]);
        opened.reads = { known: world.known, partitions, world: world.name, since: world.known.turn };
      }
      note(opened);
      opened.steps = world.steps;
      opened.judged = judge.judgeCall(call, ledgerFor(call, world));
      opened.asked = stopwatch();
    },
    /** The answer takes its time: until then the call counts as if it were given. */
    hold: <T>(opened: Opened, answering: Promise<T>): Promise<T> => {
      stopNoting(opened);
      reserved(opened);
      return answering;
    },
    checkReads,
    heard: (opened: Opened): void => {
      opened.heard = stopwatch();
    },
    /** The call ends without an exchange to keep. */
    release: (opened: Opened): void => {
      endHold(opened);
      parts.underWay?.delete(opened.call.id);
    },
    /**
     * Resolves when the call may be sent on; false, or a rejection: it must not be. False where other gateways may stop
     * counting it before it ends. Its beginning is recorded, where it `must` be or something is lost with a call that nobody
     * knows of; else it is enough that the store could be written to. Asked again before the call is sent again.
     */
    begin: async (opened: Opened, must = false): Promise<boolean> => {
      const { call, reads, isBegun } = opened;
      const leavesTrace = must || reads !== undefined || !leavesNoTrace(call);
      try {
        await (leavesTrace && !isBegun ? recordBeginning(opened) : recorder.assure());
      } catch (error) {
        opened.wasHeldBack = true;
        throw error;
      }
      const { countsUntil } = opened;
      const isInTime =
        others === undefined ||
        countsUntil === undefined ||
        others.clock() + others.longestCall <= countsUntil;
      opened.wasSent ||= isInTime;
      return isInTime;
    },
    /** Moves the world on, at once: the next call sees it. If `keep` rejects with a StoreMoved, it is to be done again. */
    close: (opened: Opened, answered: Partial<Answered>, passed: Body | null = null): Closed => {
      const { world, judged } = opened;
      const { injected, changes: ofBank } = answered;
      const isCutOff = injected?.end !== undefined && injected.end !== 'after';
      const fault = isCutOff ? injectedFault(injected) : (answered.fault ?? null);
      // An answer that nobody waits for, or that did not arrive whole, is none.
      const answer = isCutOff || fault?.kind === 'client-gone' ? null : (answered.answer ?? null);
      const call = passed === null ? opened.call : withBody(opened.call, passed);
      const crossed = Math.max(0, world.steps - (opened.steps ?? world.steps));
      const plain = closeCall(call, answer, elapsedOf(opened), fault, crossed, injected);
      endHold(opened);
      note(opened);
      const exchange = scoped(parts, plain, world);
      const both = judge.judgeExchange(exchange, ledgerFor(call, world), judged);
      world.ledger.isCrowded = world.name !== COMMON_WORLD && parts.worlds.areCrowded?.() === true;
      const changes: FactChange[] = advance(world.ledger, exchange, fingerprint, judge.options.dialect);
      if (ofBank !== undefined) for (const change of ofBank) changes.push(change);
      const changesBack = moveOn(opened, changes);
      return { opened, answered, passed, exchange, judged: both, changes, changesBack };
    },
    /**
     * Closes a call that an error of the gateway itself ended; null where it was not sent because that could not be
     * recorded. Throws a StoreMoved on where nothing was sent.
     */
    fail: (opened: Opened, error: unknown): Closed | null => {
      endHold(opened);
      const isMoved = error instanceof StoreMoved && !opened.wasSent;
      if (isMoved || opened.wasHeldBack) parts.underWay?.delete(opened.call.id);
      if (isMoved) throw error;
      if (opened.wasHeldBack) return null;
      parts.onInternalError(error, opened.call);
      opened.judged = NOTHING_JUDGED;
      const answered = answerFault(INTERNAL_FAULT, opened.call);
      const { answer = null, fault = null } = answered;
      const exchange = closeCall(opened.call, answer, elapsedOf(opened), fault);
      const changes: FactChange[] = [];
      const changesBack = moveOn(opened, changes);
      return { opened, answered, passed: null, exchange, judged: NOTHING_JUDGED, changes, changesBack };
    },
    /**
     * Rejects where it could not be kept; the world has then forgotten it. Rejects with a StoreMoved where another gateway
     * moved on what it depends on, and nothing was sent. null: it is one refusal too many of those that are kept, so it is
     * counted and forgotten.
     */
    keep: (closed: Closed): Promise<void> | null => {
      const { opened, exchange, changesBack } = closed;
      if (opened.wasSent) return steps.keepSent(opened, closed.answered, closed.passed, closed);
      // What was begun gets its end, whoever called.
      if (opened.isBegun || mayKeepRefusal(exchange)) return record(closed);
      applyFacts(opened.world, changesBack);
      parts.onFlood?.(exchange);
      return null;
    },
    /** Keeps what came of a call that cannot be done again: it is judged and folded anew until it can be kept. */
    keepSent: async (
      opened: Opened,
      answered: Partial<Answered>,
      passed: Body | null = null,
      first: Closed = steps.close(opened, answered, passed),
    ): Promise<void> => {
      for (let closed = first; ; closed = steps.close(opened, answered, passed)) {
        try {
          return await record(closed);
        } catch (error) {
          if (!(error instanceof StoreMoved)) {
            parts.onUnrecorded(opened.call.session);
            throw error;
          }
          others?.onJudgedAnew(opened.call);
        }
      }
    },
  };
  return steps;
}

function elapsedUntil(now: number, { started, asked, heard }: Opened): Exchange['elapsed'] {
  const [total, answerer] = [hundredths(now - started), hundredths(now - asked)];
  return heard === undefined
    ? { total, answerer }
    : { total, answerer, firstByte: hundredths(heard - asked) };
}

const scoped = ({ judge, fingerprint }: StepsParts, exchange: Exchange, { ledger }: World): Exchange =>
  withScope(exchange, ledger, fingerprint, judge.options.dialect);

const endOfUse = (call: string): FactChange => ({ family: 'uses', key: call, fact: null });

function withBody(call: Call, body: Body): Call {
  const { target, headers } = call.request;
  return call.sending(call.request.with(target, headers, body));
}

const hundredths = (ms: number) => Math.round(ms * 100) / 100;
