/** Opens a call: in the world of the session that it names, and as what it is on its listener. */
import { type HeaderList, type OwnListener, openCall, splitTarget, tppOf } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import { type Awaitable, after } from '../store/index.js';
import type { Incoming, Peer } from './arrivals.js';
import { chooseSession, type SessionAsker, type SessionChoice } from './session-header.js';
import type { Arrived, Opened, Steps, StepsParts } from './steps.js';
import { isKnownCaller } from './strangers.js';

const askerOf = ({ certificate }: Peer): SessionAsker =>
  isKnownCaller(certificate) ? { tpp: tppOf(certificate) } : 'stranger';

const AUTHORIZE = /\/authorization\/authorize\/([^/]+)$/;

export function createOpening(parts: StepsParts): Pick<Steps, 'open' | 'openAgain'> {
  const { worlds, recorder, stopwatch, sessionNamed } = parts;

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

  function openFor(
    choice: SessionChoice | null,
    incoming: Pick<Incoming, Arrived>,
    isWorldUnknown = false,
  ): Opened {
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
    return { call, world, problem: choice?.problem ?? null, isWorldUnknown, started, asked: started };
  }

  return {
    open: (incoming) => {
      if (sessionNamed === undefined || recorder.problem() !== null) return openFor(null, incoming);
      const { headers, listener, target, peer } = incoming;
      const openUnknown = (error: unknown): Opened => {
        if (!(error instanceof SandgateError)) throw error;
        return openFor(null, incoming, true);
      };
      try {
        const choice =
          chooseSession(headers, (name) => sessionNamed(name, askerOf(peer))) ??
          ofAuthorisation(headers, listener, splitTarget(target).path);
        const opened = after(choice, (chosen) => openFor(chosen, incoming));
        return opened instanceof Promise ? opened.catch(openUnknown) : opened;
      } catch (error) {
        return openUnknown(error);
      }
    },
    openAgain: (call, { at, ahead }) => {
      const now = stopwatch();
      const world = worlds.of(call.session);
      const again = call.with({ id: parts.nextId(), at, ahead });
      return { call: again, world, problem: null, isWorldUnknown: false, started: now, asked: now };
    },
  };
}
