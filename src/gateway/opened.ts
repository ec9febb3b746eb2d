/** A call on its way, with all that becomes of it, and what its steps are given. */
import type { AnswerContext, Answerer } from '../answer/index.js';
import type { World } from '../bank/index.js';
import type { Answer, Call, CallTime, Exchange, Fingerprint } from '../exchange/index.js';
import type { Reservation } from '../ledger/index.js';
import type { Known, Recorder } from '../recorder/index.js';
import type { Judge, Judged } from '../rules/index.js';
import type { Recognition } from '../spec/index.js';
import type { Awaitable } from '../store/index.js';
import type { GatewayFault } from './arrivals.js';
import type { CallReads } from './reads.js';
import type { RecogniseOn } from './recognise-on-listener.js';
import type { SealOf } from './seals.js';

export interface StepsParts {
  readonly session: () => string;
  /** Enters the session that a call asks for by its header; absent: the header has no meaning. */
  readonly sessionNamed?: (name: string, asker: SessionAsker) => Awaitable<NamedSession>;
  readonly recognise: RecogniseOn;
  /** The seal of a call, at a bank that takes signed ones; absent: nobody looks at signatures. */
  readonly sealOf?: SealOf | undefined;
  /** Whether what is no operation is a page of a bank, with paths and forms of its own; of the PSU listener. */
  readonly isPage?: (method: string, path: string, kind: Recognition['kind']) => boolean;
  readonly judge: Judge;
  /** Asks rules whose verdicts take time, ahead of the judge; undefined: there is nothing to wait for. */
  readonly askAhead?:
    | ((
        scope: 'call' | 'exchange',
        call: Call,
        answer: Answer | null,
        world: World,
      ) => Promise<void> | undefined)
    | undefined;
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
  /** A refusal was answered, and not kept: too many come from callers who proved nothing. */
  readonly onFlood?: (exchange: Exchange) => void;
  /** A call of this session, or its end, could not be recorded. */
  readonly onUnrecorded: (session: string) => void;
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
  /** `session`: the one that the call entered before; null where it names none. */
  readonly of: (session: string | null) => CallWorld;
  /** The session in whose world an authorisation was begun; undefined where it is the common one. */
  readonly sessionOf?: (authorisation: string) => Awaitable<string | undefined>;
  /** The long body of a payment that a TPP created in a world; absent: the store keeps none. */
  readonly bodyOf?: ((world: World, tpp: string, payment: string) => Awaitable<object | null>) | undefined;
  /** Whether the ledgers of isolated sessions together hold all that they may; absent: there are none. */
  readonly areCrowded?: () => boolean;
  /** The worlds in memory; absent: that of the call alone. */
  readonly open?: () => Iterable<World>;
}

/** `known`: where other gateways move it on as well. */
export type CallWorld = World & { readonly clock?: CallClock; readonly known?: Known | null };

export interface CallClock {
  /** `machine`: epoch ms. */
  readonly timeAt: (machine: number) => CallTime;
}

/** A call with its world, and what becomes of it on its way. */
export interface Opened {
  readonly call: Call;
  readonly world: CallWorld;
  /** Why the call cannot have the session that it asks for. */
  readonly problem: GatewayFault | null;
  /** The store could not tell which world the call meets, or gave no body of its payment: nobody may be asked. */
  readonly isWorldUnknown: boolean;
  stored: AnswerContext['stored'];
  /** Ms on the stopwatch: when the head had arrived, when the source was asked, and when a bank began to answer. */
  readonly started: number;
  asked: number;
  heard: number | undefined;
  judged: Judged;
  /** A bank was asked, or may have been. */
  wasSent: boolean;
  /** It could not be recorded that the call is about to be sent on, so it was not. */
  wasHeldBack: boolean;
  /** Its beginning is recorded; other gateways know what it uses up. */
  isBegun: boolean;
  /** The call uses this up while others can arrive. */
  held?: Reservation | undefined;
  reads?: CallReads | undefined;
  /** How many steps of its world had come when it was judged. */
  steps?: number;
  /** Until then these count what it uses up, by the machine's clock. */
  countsUntil?: number;
}

/** A session is asked for by a TPP, by a caller who has not shown who it is, or by a browser that follows a link of the session's calls. */
export type SessionAsker = { readonly tpp: string | null } | 'stranger' | 'link';

/** The session of a name, or half an answer on why it cannot be had. */
export type NamedSession = { readonly session: string } | { readonly problem: string };

export const NOTHING_JUDGED: Judged = { verdicts: {}, findings: [], refusal: null };

export function openedAs(
  call: Call,
  world: CallWorld,
  started: number,
  problem: GatewayFault | null = null,
  isWorldUnknown = false,
): Opened {
  return {
    call,
    world,
    problem,
    isWorldUnknown,
    stored: undefined,
    started,
    asked: started,
    heard: undefined,
    judged: NOTHING_JUDGED,
    wasSent: false,
    wasHeldBack: false,
    isBegun: false,
  };
}
