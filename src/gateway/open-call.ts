/** Opens a call: in the world of the session that it names, and as what it is on its listener. */
import type { AnswerContext, Answerer } from '../answer/index.js';
import type { World } from '../bank/index.js';
import {
  arrivedAt,
  type Call,
  type CallTime,
  type Exchange,
  type Fingerprint,
  type HeaderList,
  type OwnListener,
  openCall,
  splitTarget,
  tppOf,
} from '../exchange/index.js';
import type { Reservation } from '../ledger/index.js';
import type { Known, Recorder } from '../recorder/index.js';
import type { Judge, Judged } from '../rules/index.js';
import { type Recognition, SandgateError } from '../spec/index.js';
import { type Awaitable, after, isSessionName, SESSION_NAME_FORM } from '../store/index.js';
import type { GatewayFault, Incoming, Peer } from './arrivals.js';
import { sessionFault } from './faults.js';
import type { RecogniseOn } from './recognise-on-listener.js';
import { isKnownCaller } from './strangers.js';

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
  /** A refusal was answered, and not kept: too many come from callers who proved nothing. */
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
  /** Ms on the stopwatch: when the head had arrived, and when the source was asked. */
  readonly started: number;
  asked: number;
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

/** Gateways share a store: the call's judgement counts only while no other gateway has moved these partitions on. */
export interface CallReads {
  readonly known: Known;
  readonly world: string;
  readonly partitions: Set<string>;
  /** How often others had been caught up with when the call began to read. */
  since: number;
}

type Arrived = Pick<
  Incoming,
  'listener' | 'peer' | 'at' | 'ahead' | 'started' | 'method' | 'target' | 'headers' | 'body'
>;

const askerOf = ({ certificate }: Peer): SessionAsker =>
  isKnownCaller(certificate) ? { tpp: tppOf(certificate) } : 'stranger';

export const NOTHING_JUDGED: Judged = { verdicts: {}, findings: [], refusal: null };
const NOTHING_STORED = { body: null } as const;

const AUTHORIZE = /\/authorization\/authorize\/([^/]+)$/;

export function createOpening(parts: StepsParts) {
  const { worlds, recorder, stopwatch, sessionNamed } = parts;
  const { bodyOf } = worlds;

  /** A browser names no session: it is sent by a link, to an authorisation that somebody's calls began. */
  function ofAuthorisation(
    headers: HeaderList,
    listener: OwnListener,
    path: string,
  ): Awaitable<SessionChoice | null> {
    const authorisation = listener === 'psu' ? AUTHORIZE.exec(path)?.[1] : undefined;
    if (authorisation === undefined) return null;
    const named = after(worlds.sessionOf?.(authorisation), (wanted) =>
      wanted === undefined ? undefined : sessionNamed?.(wanted, 'link'),
    );
    return after(named, (found) =>
      found === undefined || !('session' in found) ? null : { ...found, headers, problem: null },
    );
  }

  const choose = (
    { headers, listener, target, peer }: Arrived,
    named: NonNullable<StepsParts['sessionNamed']>,
  ): Awaitable<SessionChoice | null> =>
    chooseSession(headers, (name) => named(name, askerOf(peer))) ??
    ofAuthorisation(headers, listener, splitTarget(target).path);

  function openFor(choice: SessionChoice | null, incoming: Arrived, isWorldUnknown = false): Opened {
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
      {
        id,
        session,
        at: time.at,
        ahead: time.ahead,
        listener,
        connection,
        certificate,
        method,
        target,
        headers,
        body,
      },
      recognition,
    );
    const isPage =
      listener === 'psu' &&
      recognition.kind !== 'operation' &&
      parts.isPage?.(method, path, recognition.kind) === true;
    // A page of a bank is no misspelt path of the interface, and no method that it lacks.
    const call = isPage ? opened.with({ nearest: undefined, allow: undefined }) : opened;
    return openedAs(call, world, started, choice?.problem ?? null, isWorldUnknown);
  }

  /** A long body of the payment that a call reads is in the store alone. */
  function withStored(opened: Opened): Awaitable<Opened> {
    const { call, world } = opened;
    if (bodyOf === undefined || opened.isWorldUnknown) return opened;
    const { tpp, operation, params } = call;
    const { paymentId = '' } = params;
    const isStored =
      tpp !== null && operation === 'payments.read' && world.bank.bankBodies.peek(paymentId)?.tpp === tpp;
    opened.stored = NOTHING_STORED;
    if (!isStored) return opened;
    return orUnknown(
      () =>
        after(bodyOf(world, tpp, paymentId), (body) => {
          opened.stored = { body };
          return opened;
        }),
      () => ({ ...opened, isWorldUnknown: true }),
    );
  }

  return {
    /** At once, unless the call enters a session whose world has to be loaded first. A store that fails ends no call. */
    open: (incoming: Arrived): Awaitable<Opened> => {
      const opened =
        sessionNamed === undefined || recorder.problem() !== null
          ? openFor(null, incoming)
          : orUnknown(
              () => after(choose(incoming, sessionNamed), (choice) => openFor(choice, incoming)),
              () => openFor(null, incoming, true),
            );
      return after(opened, withStored);
    },
    /** Opens the same request once more, as a call of its own. */
    openAgain: (call: Call, { at, ahead }: CallTime): Opened => {
      const now = stopwatch();
      const world = worlds.of(call.session);
      return openedAs(call.with({ id: parts.nextId(), at, ahead }), world, now);
    },
    /** Opens a call to be judged anew: at the time that the clock of its world now says it arrived. */
    reopen: (opened: Opened): Awaitable<Opened> => {
      const { call, world } = opened;
      parts.others?.onJudgedAnew(call);
      const time = world.clock?.timeAt(arrivedAt(call));
      const isSameTime = time === undefined || time.at === call.at;
      return withStored({ ...opened, call: isSameTime ? call : call.with(time), wasHeldBack: false });
    },
  };
}

function openedAs(
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
    judged: NOTHING_JUDGED,
    wasSent: false,
    wasHeldBack: false,
    isBegun: false,
  };
}

/** A store that fails ends no call. */
function orUnknown(open: () => Awaitable<Opened>, openUnknown: () => Opened): Awaitable<Opened> {
  const instead = (error: unknown): Opened => {
    if (!(error instanceof SandgateError)) throw error;
    return openUnknown();
  };
  try {
    const opened = open();
    return opened instanceof Promise ? opened.catch(instead) : opened;
  } catch (error) {
    return instead(error);
  }
}

/** Who asks for a session: a TPP, a caller who has not shown who it is, or a browser by a link of calls that were recorded in it. */
export type SessionAsker = { readonly tpp: string | null } | 'stranger' | 'link';

/** The session of a name, or half an answer on why it cannot be had. */
export type NamedSession = { readonly session: string } | { readonly problem: string };

interface SessionChoice {
  /** null: the gateway's own. */
  readonly session: string | null;
  readonly headers: HeaderList;
  readonly problem: GatewayFault | null;
}

const HEADER = 'sandgate-session';
const FORM_FAULT = sessionFault(`Sandgate-Session must hold ${SESSION_NAME_FORM}.`);

/** null where the call names no session. */
export function chooseSession(
  headers: HeaderList,
  named: (name: string) => Awaitable<NamedSession>,
): Awaitable<SessionChoice> | null {
  let wanted: string | null = null;
  let count = 0;
  for (const [name, value] of headers) {
    if (name.length !== HEADER.length || name.toLowerCase() !== HEADER) continue;
    wanted = value;
    count += 1;
  }
  if (wanted === null) return null;
  const others = headers.filter(([name]) => name.toLowerCase() !== HEADER);
  if (count > 1 || !isSessionName(wanted)) return { session: null, headers: others, problem: FORM_FAULT };
  return after(named(wanted), (found) =>
    'session' in found
      ? { session: found.session, headers: others, problem: null }
      : { session: null, headers: others, problem: sessionFault(found.problem) },
  );
}
