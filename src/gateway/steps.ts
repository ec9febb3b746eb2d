/** What the steps of every call are: opened, judged, closed with its answer, recorded. */
import type { Answered, Answerer } from '../answer/index.js';
import type { BankChange, FactChange, World } from '../bank/index.js';
import type { Answer, Body, Call, CallTime, Exchange, Fault, Fingerprint } from '../exchange/index.js';
import type { Reservation } from '../ledger/index.js';
import type { Known, Recorder } from '../recorder/index.js';
import type { Judge, Judged } from '../rules/index.js';
import type { Recognition } from '../spec/index.js';
import type { Awaitable } from '../store/index.js';
import type { GatewayFault, Incoming } from './arrivals.js';
import type { RecogniseOn } from './recognise-on-listener.js';
import type { NamedSession, SessionAsker } from './session-header.js';
import type { Sight } from './sight.js';

export interface StepsParts {
  readonly session: () => string;
  /** Enters the session that a call asks for by its header; absent: the header has no meaning. */
  readonly sessionNamed?: (name: string, asker: SessionAsker) => Awaitable<NamedSession>;
  readonly recognise: RecogniseOn;
  /** Whether what is no operation is a page of a bank, with paths and forms of its own; of the PSU listener. */
  readonly isPage?: (method: string, path: string, kind: Recognition['kind']) => boolean;
  readonly judge: Judge;
  readonly answerer: Pick<Answerer, 'knowsMore'>;
  readonly worlds: CallWorlds;
  readonly fingerprint: Fingerprint;
  readonly recorder: Pick<Recorder, 'take' | 'begin' | 'assure' | 'problem'>;
  readonly others?: AmongOthers | undefined;
  readonly onRecorded?: (exchange: Exchange, judged: Judged) => void;
  /** Ids of calls that were begun and have not ended. */
  readonly underWay?: Set<string>;
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
  /** The machine's, epoch ms. */
  readonly clock: () => number;
  /** In ms, from being sent on to the end of its answer: no call takes longer. */
  readonly longestCall: number;
  /** In ms: what takes longer to be recorded as begun is not sent on. */
  readonly longestBegin: number;
  /** Another gateway was faster: a call is judged once more. */
  readonly onJudgedAnew: (call: Call) => void;
}

export interface CallWorlds {
  /** By the session of a call, which was entered before, null where that names none. `clock`: where it is not that of the gateway. */
  readonly of: (session: string | null) => CallWorld;
  /** The session in whose world an authorisation was begun; undefined where it is the common one. */
  readonly sessionOf?: (authorisation: string) => Awaitable<string | undefined>;
  /** The long body of a payment that a TPP created in a world; absent: the store keeps none. */
  readonly bodyOf?: ((world: World, tpp: string, payment: string) => Awaitable<object | null>) | undefined;
  /** Whether the ledgers of isolated sessions together hold all that they may; absent: there are none. */
  readonly areCrowded?: () => boolean;
  /** Those that are held in memory; absent: none but that of the call. */
  readonly open?: () => Iterable<World>;
}

/** `known`: where other gateways move it on as well. */
export type CallWorld = World & { readonly clock?: CallClock; readonly known?: Known | null };

export interface CallClock {
  /** `machine`: epoch ms. */
  readonly timeAt: (machine: number) => CallTime;
}

export interface Opened {
  readonly call: Call;
  readonly world: CallWorld;
  /** The call asks for a session that it cannot have. */
  readonly problem: GatewayFault | null;
  /** The store could not tell which world the call meets, so nobody may be asked. */
  readonly isWorldUnknown: boolean;
  readonly started: number;
  asked: number;
  held?: Reservation | undefined;
  sight?: Sight | undefined;
  steps?: number;
  isBegun?: boolean;
  /** Until then these count what it uses up, by the machine's clock. */
  countsUntil?: number;
}

export interface Outcome {
  readonly answer: Answer | null;
  readonly fault?: Fault | null;
  /** The body of the request, where it was not known whole when the call was opened. */
  readonly passed?: Body | null;
  readonly changes?: readonly BankChange[];
}

export interface Closed {
  readonly exchange: Exchange;
  readonly world: World;
  readonly judged: Judged;
  readonly changes: readonly FactChange[];
  readonly changesBack: readonly FactChange[];
  readonly sight: Sight | undefined;
}

export interface Steps {
  /** At once, unless the call enters a session whose world has to be loaded first. A store that fails ends no call. */
  readonly open: (incoming: Pick<Incoming, Arrived>) => Awaitable<Opened>;
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
  /**
   * Resolves when the call may be sent on; false, or a rejection: it must not be; asked again before it is sent again. False
   * where other gateways may count it no more before it ends. Its beginning
   * is recorded, where it `must` be or something is lost with a call that nobody knows of. Where it is recorded already, or
   * need not be, the store has been written to: that it could be must do.
   */
  readonly begin: (opened: Opened, judged: Judged, options?: { readonly must?: boolean }) => Promise<boolean>;
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

export type Arrived =
  | 'listener'
  | 'peer'
  | 'at'
  | 'ahead'
  | 'started'
  | 'method'
  | 'target'
  | 'headers'
  | 'body';

export const NOTHING_JUDGED: Judged = { verdicts: {}, findings: [], refusal: null };
