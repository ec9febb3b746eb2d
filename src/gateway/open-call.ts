/** Opens a call: in the world of the session that it names, and as what it is on its listener. */
import {
  arrivedAt,
  type Call,
  type CallTime,
  type HeaderList,
  type OwnListener,
  openCall,
  splitTarget,
  tppOf,
} from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { type Awaitable, after, isSessionName, SESSION_NAME_FORM } from '../store/index.js';
import type { GatewayFault, Incoming, Peer } from './arrivals.js';
import { sessionFault } from './faults.js';
import { type NamedSession, type Opened, openedAs, type SessionAsker, type StepsParts } from './opened.js';
import { isKnownCaller } from './strangers.js';

type Arrived = Pick<
  Incoming,
  'listener' | 'peer' | 'at' | 'ahead' | 'started' | 'method' | 'target' | 'headers' | 'body'
>;

const askerOf = ({ certificate }: Peer): SessionAsker =>
  isKnownCaller(certificate) ? { tpp: tppOf(certificate) } : 'stranger';

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
        seal: listener === 'api' ? parts.sealOf?.(headers) : undefined,
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
      const isOurs = sessionNamed === undefined || recorder.problem() !== null || !mayName(incoming);
      if (isOurs) return withStored(openFor(null, incoming));
      const opened = orUnknown(
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

interface SessionChoice {
  /** null: the gateway's own. */
  readonly session: string | null;
  readonly headers: HeaderList;
  readonly problem: GatewayFault | null;
}

const HEADER = 'sandgate-session';
const FORM_FAULT = sessionFault(`Sandgate-Session must hold ${SESSION_NAME_FORM}.`);

/** Whether a call may name a session, by its header or by the address of an authorisation. */
const mayName = ({ listener, headers }: Arrived): boolean =>
  listener === 'psu' || headers.some(([name]) => isHeader(name));

const isHeader = (name: string): boolean => name.length === HEADER.length && name.toLowerCase() === HEADER;

/** null where the call names no session. */
export function chooseSession(
  headers: HeaderList,
  named: (name: string) => Awaitable<NamedSession>,
): Awaitable<SessionChoice> | null {
  let wanted: string | null = null;
  let count = 0;
  for (const [name, value] of headers) {
    if (!isHeader(name)) continue;
    wanted = value;
    count += 1;
  }
  if (wanted === null) return null;
  const others = headers.filter(([name]) => !isHeader(name));
  if (count > 1 || !isSessionName(wanted)) return { session: null, headers: others, problem: FORM_FAULT };
  return after(named(wanted), (found) =>
    'session' in found
      ? { session: found.session, headers: others, problem: null }
      : { session: null, headers: others, problem: sessionFault(found.problem) },
  );
}
