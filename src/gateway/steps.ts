/** The steps of every call: open, close with its answer, judge, record. */
import type { Answered } from '../answer/index.js';
import { applyFacts, type BankChange, type FactChange, factsBack, type World } from '../bank/index.js';
import {
  type Answer,
  arrivedAt,
  type Body,
  type Call,
  type CallTime,
  closeCall,
  type Exchange,
  type Fault,
  type Fingerprint,
  type HeaderList,
  type OwnListener,
  openCall,
  splitTarget,
} from '../exchange/index.js';
import { advance, giveBack, type Reservation, reserve } from '../ledger/index.js';
import type { Known, Recorder } from '../recorder/index.js';
import type { Judge, Judged } from '../rules/index.js';
import type { Recognition } from '../spec/index.js';
import { type Awaitable, after, changesOf, placedChanges, StoreMoved } from '../store/index.js';
import type { GatewayFault, Incoming } from './arrivals.js';
import { answerFault, INTERNAL_FAULT, UNFINISHED } from './faults.js';
import type { RecogniseOn } from './recognise-on-listener.js';
import { chooseSession, type NamedSession, type SessionChoice } from './session-header.js';
import {
  checkSight,
  endedUses,
  look,
  lookAway,
  openSight,
  restingOf,
  type Sight,
  unuseChange,
  useChange,
} from './sight.js';
import { createRefusalLimit, withoutLargeBody } from './strangers.js';

export interface StepsParts {
  readonly session: () => string;
  /** Enters the session that a call asks for by its header; absent: the header has no meaning. */
  readonly sessionNamed?: (name: string) => Awaitable<NamedSession>;
  readonly recognise: RecogniseOn;
  /** Whether what is no operation is a page of a bank, with paths and forms of its own; of the PSU listener. */
  readonly isPage?: (method: string, path: string, kind: Recognition['kind']) => boolean;
  readonly judge: Judge;
  /** What a call meets: by the session that it names, or by an authorisation in its path where a browser sent it. */
  readonly worlds: CallWorlds;
  readonly fingerprint: Fingerprint;
  readonly recorder: Pick<Recorder, 'take' | 'begin' | 'problem'>;
  /** Where gateways share a store. */
  readonly others?: AmongOthers | undefined;
  /** Told of each exchange once it is kept. */
  readonly onRecorded?: (exchange: Exchange, judged: Judged) => void;
  readonly nextId: () => string;
  /** Ms since any moment; for durations only. */
  readonly stopwatch: () => number;
  readonly onInternalError: (error: unknown, call: Call) => void;
  /** Told of a refusal that is answered, and not kept: too many come from callers who proved nothing. */
  readonly onFlood?: (exchange: Exchange) => void;
  /** A call, or its end, could not be recorded. */
  readonly onUnrecorded: () => void;
}

export interface AmongOthers {
  readonly remember: Recorder['remember'];
  /** No call that is sent on takes longer, in ms. */
  readonly longestCall: number;
  /** Another gateway was faster: a call is judged once more. */
  readonly onJudgedAnew: (call: Call) => void;
}

export interface CallWorlds {
  /** By the session of a call, which was entered before, null where that names none. `clock`: where it is not that of the gateway. */
  readonly of: (session: string | null) => CallWorld;
  /** The session in whose world an authorisation was begun; undefined where it is the common one. */
  readonly sessionOf?: (authorisation: string) => Awaitable<string | undefined>;
}

/** `known`: where other gateways move it on as well. */
export type CallWorld = World & { readonly clock?: CallClock; readonly known?: Known | null };

export interface CallClock {
  /** `machine`: epoch ms. */
  readonly timeAt: (machine: number) => CallTime;
}

export interface Opened {
  readonly call: Call;
  /** What is known to it, and what it changes. */
  readonly world: CallWorld;
  /** The call asks for a session that it cannot have. */
  readonly problem: GatewayFault | null;
  /** On the stopwatch. */
  readonly started: number;
  /** When the answerer was asked, on the stopwatch. */
  asked: number;
  /** What the call uses up while others can arrive. */
  held?: Reservation | undefined;
  /** Of the last time that it was judged. */
  sight?: Sight | undefined;
  /** Other gateways know what it uses up. */
  isUsed?: boolean;
}

/** What became of a call. */
export interface Outcome {
  readonly answer: Answer | null;
  readonly fault?: Fault | null;
  /** The body of the request, where it was not known whole when the call was opened. */
  readonly passed?: Body | null;
  /** What the answer changes in the living bank. */
  readonly changes?: readonly BankChange[];
}

/** Ready to be kept. */
export interface Closed {
  readonly exchange: Exchange;
  readonly world: World;
  /** Before the answer, and with it. */
  readonly judged: Judged;
  readonly changes: readonly FactChange[];
  /** What takes the changes back where they cannot be kept. */
  readonly changesBack: readonly FactChange[];
  readonly sight: Sight | undefined;
}

export interface Steps {
  /** At once, unless the call enters a session whose world has to be loaded first. */
  readonly open: (incoming: Pick<Incoming, Arrived>) => Awaitable<Opened>;
  /** The same request once more, as a call of its own. */
  readonly openAgain: (call: Call, time: CallTime) => Opened;
  /** To be judged anew: at the time that the clock of its world now says it arrived. */
  readonly reopen: (opened: Opened) => Opened;
  /** By what is known now; `context.answer` follows in the same turn. */
  readonly judge: (opened: Opened) => Judged;
  /** Throws a StoreMoved where other gateways have moved on what the call looked at: it is to be judged anew. */
  readonly checkSight: (opened: Opened) => void;
  /** The answer takes its time: until then the call counts as if it were given. */
  readonly wait: (opened: Opened) => void;
  /** The call has ended without an exchange to keep; `close` and `fail` do so themselves. */
  readonly release: (opened: Opened) => void;
  /** Resolves when it is kept that the call is about to be sent on; rejects where it must not be. */
  readonly begin: (opened: Opened, judged: Judged) => Promise<void>;
  /** Moves the world on: calls of the same turn see it. To be done again where `keep` rejects with a StoreMoved. */
  readonly close: (opened: Opened, judged: Judged, outcome: Outcome) => Closed;
  /** The answer to a call that an error of the gateway itself ended, and what is kept of it. */
  readonly fail: (opened: Opened, error: unknown) => { answered: Partial<Answered>; closed: Closed };
  /** False where it is one refusal too many of those that are kept: it is counted, and the world has forgotten it. */
  readonly mayRecord: (closed: Closed) => boolean;
  /**
   * Rejects where it could not be kept; the world has then forgotten it. With a StoreMoved, where another gateway moved on
   * what it rests on.
   */
  readonly keep: (closed: Closed) => Promise<void>;
  /** Closes and keeps what came of a call that cannot be done again: it is judged and learned from until it can be kept. */
  readonly keepOutcome: (opened: Opened, judged: Judged, outcome: Outcome) => Promise<void>;
}

type Arrived = 'listener' | 'peer' | 'at' | 'ahead' | 'started' | 'method' | 'target' | 'headers' | 'body';

const AUTHORIZE = /\/authorization\/authorize\/([^/]+)$/;
const NO_TIME: Exchange['elapsed'] = { total: 0, answerer: 0 };

export const NOTHING_JUDGED: Judged = { verdicts: {}, findings: [], refusal: null };

export function createSteps(parts: StepsParts): Steps {
  const { judge, worlds, fingerprint, recorder, stopwatch, sessionNamed, onRecorded, others } = parts;
  const mayKeepRefusal = createRefusalLimit();

  const elapsedOf = ({ started, asked }: Opened): Exchange['elapsed'] => {
    const now = stopwatch();
    return { total: hundredths(now - started), answerer: hundredths(now - asked) };
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
  function applied({ call, world, isUsed }: Opened, changes: FactChange[]): FactChange[] {
    if (isUsed === true) changes.push(unuseChange(call));
    const back = factsBack(world, changes);
    applyFacts(world, changes);
    return back;
  }

  /** With what it uses up, for other gateways to count. */
  async function beginAmongOthers(opened: Opened, exchange: Exchange, judged: Judged): Promise<void> {
    const { call, world, sight } = opened;
    checkSight(sight);
    const uses = [useChange(call, hold(opened), others?.longestCall ?? 0)];
    const back = factsBack(world, uses);
    applyFacts(world, uses);
    const undo = () => applyFacts(world, back);
    const placed = placedChanges(world.name, uses, back);
    await recorder.begin(exchange, judged, placed, undo, restingOf(sight));
    opened.isUsed = true;
  }

  function dropEndedUses(world: World, machine: number): void {
    const ended = [...endedUses(world, machine)];
    if (ended.length === 0) return;
    const back = factsBack(world, ended);
    applyFacts(world, ended);
    others
      ?.remember(placedChanges(world.name, ended, back), () => applyFacts(world, back), {
        ...{ world: world.name, partitions: [] },
      })
      .catch(() => {});
  }

  /** A browser names no session: it is sent by a link, to an authorisation that somebody's calls began. */
  function ofAuthorisation(
    headers: HeaderList,
    listener: OwnListener,
    path: string,
  ): Awaitable<SessionChoice | null> {
    const authorisation = listener === 'psu' ? AUTHORIZE.exec(path)?.[1] : undefined;
    if (authorisation === undefined) return null;
    const named = after(worlds.sessionOf?.(authorisation), (wanted) =>
      wanted === undefined ? undefined : sessionNamed?.(wanted),
    );
    return after(named, (found) =>
      found === undefined || !('session' in found) ? null : { ...found, headers, problem: null },
    );
  }

  function openFor(choice: SessionChoice | null, incoming: Pick<Incoming, Arrived>): Opened {
    const { listener, method, target, body, peer, at, ahead, started } = incoming;
    const { path } = splitTarget(target);
    const headers = choice?.headers ?? incoming.headers;
    const world = worlds.of(choice?.session ?? null);
    const time = world.clock?.timeAt(at - ahead) ?? { at, ahead };
    const recognition = parts.recognise(listener, method, path);
    const { connection, certificate } = peer;
    const id = parts.nextId();
    const session = choice?.session ?? parts.session();
    const opened = openCall(
      { id, session, ...time, listener, connection, certificate, method, target, headers, body },
      recognition,
    );
    const isPage =
      listener === 'psu' &&
      recognition.kind !== 'operation' &&
      parts.isPage?.(method, path, recognition.kind) === true;
    // A page of a bank is no misspelt path of the interface, and no method that it lacks.
    const call = isPage ? opened.with({ nearest: undefined, allow: undefined }) : opened;
    return { call, world, problem: choice?.problem ?? null, started, asked: started };
  }

  const steps: Steps = {
    open: (incoming) => {
      if (sessionNamed === undefined || recorder.problem() !== null) return openFor(null, incoming);
      const { headers, listener, target } = incoming;
      const choice =
        chooseSession(headers, sessionNamed) ?? ofAuthorisation(headers, listener, splitTarget(target).path);
      return after(choice, (chosen) => openFor(chosen, incoming));
    },
    openAgain: (call, { at, ahead }) => {
      const now = stopwatch();
      const world = worlds.of(call.session);
      const again = call.with({ id: parts.nextId(), at, ahead });
      return { call: again, world, problem: null, started: now, asked: now };
    },
    release,
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
      return judge.judgeCall(call, world.ledger);
    },
    checkSight: ({ sight }) => checkSight(sight),
    wait: hold,
    begin: (opened, judged) => {
      const exchange = closeCall(opened.call, null, NO_TIME, UNFINISHED);
      return opened.sight === undefined
        ? recorder.begin(exchange, judged)
        : beginAmongOthers(opened, exchange, judged);
    },
    close: (opened, judged, { answer, fault = null, passed = null, changes: ofBank = [] }) => {
      const { world, sight } = opened;
      const call = passed === null ? opened.call : withBody(opened.call, passed);
      const exchange = closeCall(call, answer, elapsedOf(opened), fault);
      release(opened);
      look(sight);
      const both = judge.judgeExchange(exchange, world.ledger, judged);
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
        () => onRecorded?.(exchange, judged),
        (error) => {
          if (!(error instanceof StoreMoved)) parts.onUnrecorded();
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
