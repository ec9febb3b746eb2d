/** Makes the steps of every call. */
import { applyFacts, type FactChange, factsBack, type World } from '../bank/index.js';
import { arrivedAt, type Body, type Call, closeCall, type Exchange } from '../exchange/index.js';
import {
  advance,
  giveBack,
  type LedgerState,
  leavesNoTrace,
  type Reservation,
  reserve,
  withScope,
} from '../ledger/index.js';
import type { Judged } from '../rules/index.js';
import { COMMON_WORLD, changesOf, placedChanges, StoreMoved } from '../store/index.js';
import { answerFault, INTERNAL_FAULT, UNFINISHED } from './faults.js';
import { createOpening } from './open-call.js';
import {
  checkSight,
  endedUses,
  look,
  lookAway,
  openSight,
  restingOf,
  unuseChange,
  useChange,
} from './sight.js';
import { NOTHING_JUDGED, type Opened, type Steps, type StepsParts } from './steps.js';
import { createRefusalLimit, withoutLargeBody } from './strangers.js';

const NO_TIME: Exchange['elapsed'] = { total: 0, answerer: 0 };

export function createSteps(parts: StepsParts): Steps {
  const { judge, fingerprint, recorder, stopwatch, onRecorded, others } = parts;
  const mayKeepRefusal = createRefusalLimit();

  const elapsedOf = ({ started, asked }: Opened): Exchange['elapsed'] => {
    const now = stopwatch();
    return { total: hundredths(now - started), answerer: hundredths(now - asked) };
  };

  const ledgerFor = (call: Call, { ledger }: World): LedgerState => {
    ledger.beganLater = parts.answerer.knowsMore?.(call) === true;
    return ledger;
  };

  const release = (opened: Opened): void => {
    const { held, world } = opened;
    if (held === undefined) return;
    giveBack(world.ledger, held);
    opened.held = undefined;
  };

  const hold = (opened: Opened): Reservation => {
    opened.held ??= reserve(opened.world.ledger, opened.call, fingerprint);
    return opened.held;
  };

  /** The world moves on by changes of a call that has ended; gives what takes them back. */
  function applied({ call, world, sight, isBegun }: Opened, changes: FactChange[]): FactChange[] {
    if (isBegun === true && sight !== undefined) changes.push(unuseChange(call));
    const back = factsBack(world, changes);
    applyFacts(world, changes);
    return back;
  }

  async function recordBeginning(opened: Opened, judged: Judged): Promise<void> {
    const { call, world, sight } = opened;
    checkSight(sight);
    const uses: FactChange[] = [];
    if (sight !== undefined && others !== undefined) {
      opened.countsUntil = others.clock() + others.longestBegin + others.longestCall;
      uses.push(useChange(call, hold(opened), opened.countsUntil));
    }
    const back = factsBack(world, uses);
    applyFacts(world, uses);
    const undo = () => applyFacts(world, back);
    look(sight);
    const exchange = withScope(closeCall(call, null, NO_TIME, UNFINISHED), world.ledger, fingerprint);
    parts.underWay?.add(call.id);
    await recorder.begin(exchange, judged, placedChanges(world.name, uses, back), undo, restingOf(sight));
    opened.isBegun = true;
  }

  function dropEndedUses(world: World, machine: number): void {
    const ended = [...endedUses(world, machine)];
    if (ended.length === 0) return;
    const back = factsBack(world, ended);
    applyFacts(world, ended);
    others
      ?.remember(placedChanges(world.name, ended, back), () => applyFacts(world, back), {
        world: world.name,
        partitions: [],
      })
      .catch(() => {});
  }

  const steps: Steps = {
    ...createOpening(parts),
    release: (opened) => {
      release(opened);
      parts.underWay?.delete(opened.call.id);
    },
    reopen: (opened) => {
      const { call, world } = opened;
      others?.onJudgedAnew(call);
      const time = world.clock?.timeAt(arrivedAt(call));
      return time === undefined || time.at === call.at ? opened : { ...opened, call: call.with(time) };
    },
    judge: (opened) => {
      const { call, world } = opened;
      const { known } = world;
      if (known != null) {
        dropEndedUses(world, arrivedAt(call));
        opened.sight = openSight(call, world, known);
      }
      look(opened.sight);
      opened.steps = world.steps;
      return judge.judgeCall(call, ledgerFor(call, world));
    },
    checkSight: ({ sight }) => checkSight(sight),
    wait: hold,
    begin: async (opened, judged, { must = false } = {}) => {
      const { call, sight, isBegun = false } = opened;
      const leavesTrace = must || sight !== undefined || !leavesNoTrace(call);
      await (leavesTrace && !isBegun ? recordBeginning(opened, judged) : recorder.assure());
      const { countsUntil } = opened;
      return (
        others === undefined ||
        countsUntil === undefined ||
        others.clock() + others.longestCall <= countsUntil
      );
    },
    close: (opened, judged, { answer, fault = null, passed = null, changes: ofBank = [] }) => {
      const { world, sight } = opened;
      const call = passed === null ? opened.call : withBody(opened.call, passed);
      const crossed = Math.max(0, world.steps - (opened.steps ?? world.steps));
      const closed = closeCall(call, answer, elapsedOf(opened), fault, crossed);
      release(opened);
      look(sight);
      const exchange = withScope(closed, world.ledger, fingerprint);
      const both = judge.judgeExchange(exchange, ledgerFor(call, world), judged);
      world.ledger.isCrowded = world.name !== COMMON_WORLD && parts.worlds.areCrowded?.() === true;
      const changes: FactChange[] = advance(world.ledger, exchange, fingerprint);
      for (const change of ofBank) changes.push(change);
      const changesBack = applied(opened, changes);
      lookAway(sight);
      return { exchange, world, judged: both, changes, changesBack, sight };
    },
    fail: (opened, error) => {
      release(opened);
      parts.onInternalError(error, opened.call);
      const answered = answerFault(INTERNAL_FAULT, opened.call);
      const exchange = closeCall(
        opened.call,
        answered.answer ?? null,
        elapsedOf(opened),
        answered.fault ?? null,
      );
      const { world, sight } = opened;
      const changes: FactChange[] = [];
      const changesBack = applied(opened, changes);
      return { answered, closed: { exchange, world, judged: NOTHING_JUDGED, changes, changesBack, sight } };
    },
    mayRecord: ({ exchange, world, changesBack }) => {
      if (mayKeepRefusal(exchange)) return true;
      applyFacts(world, changesBack);
      parts.onFlood?.(exchange);
      return false;
    },
    keep: ({ exchange, world, judged, changes, changesBack, sight }) => {
      const kept = recorder.take(
        withoutLargeBody(exchange),
        judged,
        sight === undefined
          ? changesOf(world.name, changes)
          : placedChanges(world.name, changes, changesBack),
        () => applyFacts(world, changesBack),
        restingOf(sight),
      );
      kept.then(
        () => {
          parts.underWay?.delete(exchange.call.id);
          onRecorded?.(exchange, judged);
        },
        (error) => {
          if (error instanceof StoreMoved) return;
          parts.underWay?.delete(exchange.call.id);
          parts.onUnrecorded();
        },
      );
      return kept;
    },
    keepOutcome: async (opened, judged, outcome) => {
      for (;;) {
        try {
          return await steps.keep(steps.close(opened, judged, outcome));
        } catch (error) {
          if (!(error instanceof StoreMoved)) throw error;
          others?.onJudgedAnew(opened.call);
        }
      }
    },
  };
  return steps;
}

function withBody(call: Call, body: Body): Call {
  const { target, headers } = call.request;
  return call.sending(call.request.with(target, headers, body));
}

const hundredths = (ms: number) => Math.round(ms * 100) / 100;
