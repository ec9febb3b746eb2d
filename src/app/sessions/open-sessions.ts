/** The sessions of a running gateway: its own, their rotations, and those named by calls. */

import type { Exchange, GatewayNote, HeaderList, NoteSettings, SessionNote } from '../../exchange/index.js';
import type { NamedSession, SessionAsker } from '../../gateway/index.js';
import { counted } from '../../spec/index.js';
import {
  type Awaitable,
  after,
  COMMON_WORLD,
  noteIn,
  type SessionInfo,
  type Store,
} from '../../store/index.js';
import type { Apply, HeaderPart } from '../gateway/headers.js';

type Urls = NonNullable<GatewayNote['settings']['urls']>;

export interface SessionsParts {
  readonly store: Pick<Store, 'append' | 'sessions'>;
  /** With the next exchanges that are kept: no call waits for it, and none fails with it. */
  readonly note: (session: string, note: SessionNote) => void;
  readonly clock: () => number;
  /** Of the first session. */
  readonly name: string;
  /** What is noted of each session at its start. */
  readonly settings: GatewayNote['settings'];
  /** Told of a session that a call names, before anything is asked of it. */
  readonly enter?: (session: string) => Awaitable<unknown>;
  /** The same of one session by its name, asked when it is noted. */
  readonly settingsIn?: (session: string) => GatewayNote['settings'];
  /** Whether sessions that calls name have clocks of their own. */
  readonly isolated?: boolean;
  /** In bytes, about: a session that holds so much is followed by another one. */
  readonly rotateSize: number | undefined;
  /** In ms. */
  readonly rotateEvery: number | undefined;
  /** So many sessions may calls name in one run; one TPP no more than it leaves for others. */
  readonly mostNamed: number;
  /** Moves all gateways on to another session, or none; see `Headers.share`. */
  readonly share?: (apply: Apply) => Awaitable<void>;
  /** A session that is answered from must not grow. */
  readonly replayed: string | undefined;
}

export interface Sessions extends HeaderPart {
  /** What calls go to that name none, notifications too. */
  readonly current: () => string;
  /** Enters the session that a call asks for, by a name of the right form. A stranger enters only one that is there. */
  readonly named: (name: string, asker: SessionAsker) => Awaitable<NamedSession>;
  /** Whether a session is of this run. */
  readonly isOpen: (name: string) => boolean;
  /** An exchange is about to be recorded. */
  readonly grew: (exchange: Exchange) => void;
  /** Once the listeners listen: from now on sessions note their start, with what addresses are known then. */
  readonly begin: (urls: () => Urls) => Promise<void>;
  /** Settings have another value now: noted in all of them, and at the start of those that follow. */
  readonly changed: (settings: GatewayNote['settings']) => void;
  /** Another gateway has changed them: at the start of those that follow. */
  readonly knows: (settings: GatewayNote['settings']) => void;
  /** Those of this run whose calls meet a world, by its name. */
  readonly meeting: (world: string) => readonly string[];
  /** A clock was moved: that of a session by its name, or that of all others, which has none. */
  readonly moved: (move: NoteSettings<'clock'>, session: string) => void;
  /** Whether a call of this run has named it. */
  readonly isNamed: (session: string) => boolean;
  /** Goes on in another one, which gets a number where its name is taken; resolves with its name. */
  readonly follow: (wanted: string) => Awaitable<string>;
  /** Sets a mark in a session of this run; epoch ms. */
  readonly mark: (session: string, text: string) => number;
  /** Notes the end of all of them; without `begin` there is nothing to note. */
  readonly end: () => void;
}

export async function openSessions(parts: SessionsParts): Promise<Sessions> {
  const { share = (apply) => void apply() } = parts;
  const { clock, rotateSize = Number.POSITIVE_INFINITY, rotateEvery = Number.POSITIVE_INFINITY } = parts;
  const rotates = Number.isFinite(rotateSize) || Number.isFinite(rotateEvery);
  const open = new Set<string>();
  const named = new Set<string>();
  const namedBy = new Map<string, number>();
  let urls: (() => Urls) | null = null;
  let settings = parts.settings;
  let name = rotates ? freeName(parts.name, await parts.store.sessions(), open) : parts.name;
  let isRotating = false;
  let since = clock();
  let size = 0;

  const startOf = (session: string, known: () => Urls): SessionNote => ({
    at: clock(),
    kind: 'started',
    settings: { ...settings, ...parts.settingsIn?.(session), urls: known() },
  });
  const openOne = (session: string): void => {
    open.add(session);
    if (urls !== null) parts.note(session, startOf(session, urls));
  };
  const goOn = (before: string): void => {
    open.delete(before);
    openOne(name);
    since = clock();
    size = 0;
  };
  const rotate = (wanted: string, taken: readonly SessionInfo[]): Awaitable<string> => {
    const before = name;
    let isOurs = true;
    const apply: Apply = () => {
      // Another gateway was faster: all of them have gone on already.
      isOurs = name === before;
      if (!isOurs) return null;
      name = freeName(wanted, taken, open);
      return () => {
        name = before;
      };
    };
    return after(share(apply), () => {
      isRotating = false;
      if (!isOurs) return name;
      parts.note(before, { at: clock(), kind: 'stopped', settings: { followedBy: name } });
      goOn(before);
      return name;
    });
  };
  const follow = (wanted: string): Awaitable<string> =>
    after(parts.store.sessions(), (taken) => rotate(wanted, taken));
  /** Calls go on in the old session until it is known which names are taken; where that fails, the next one asks again. */
  const startRotating = (): Awaitable<void> => {
    isRotating = true;
    const rotated = follow(parts.name);
    if (!(rotated instanceof Promise)) return;
    return rotated.then(
      () => {},
      () => {
        isRotating = false;
      },
    );
  };

  const meeting = (world: string): readonly string[] =>
    world === COMMON_WORLD ? [...open].filter((one) => !(parts.isolated && named.has(one))) : [world];

  openOne(name);
  return {
    current: () => {
      if (!isRotating && (size >= rotateSize || clock() - since >= rotateEvery)) void startRotating();
      return name;
    },
    meeting,
    named: (wanted, asker) => {
      if (wanted === parts.replayed)
        return { problem: 'The session is being replayed and cannot be recorded in.' };
      if (open.has(wanted)) return { session: wanted };
      if (!named.has(wanted)) {
        if (asker === 'stranger')
          return { problem: 'Only a caller with a valid certificate may begin a session.' };
        const key = typeof asker === 'string' ? asker : `TPP ${asker.tpp}`;
        const own = namedBy.get(key) ?? 0;
        if (own >= parts.mostNamed - named.size) return { problem: tooMany(parts.mostNamed) };
        namedBy.set(key, own + 1);
        named.add(wanted);
      }
      return after(parts.enter?.(wanted), () => {
        if (!open.has(wanted)) openOne(wanted);
        return { session: wanted };
      });
    },
    isOpen: (session) => open.has(session),
    grew: (exchange) => {
      if (rotates && exchange.call.session === name) size += sizeOf(exchange);
    },
    begin: async (given) => {
      urls = given;
      // A store that cannot be written to ends the start of the gateway.
      for (const session of open) await noteIn(parts.store, session, startOf(session, given));
    },
    changed: (now) => {
      settings = { ...settings, ...now };
      // Before the start is noted it is a part of it.
      if (urls === null) return;
      for (const session of open) parts.note(session, { at: clock(), kind: 'changed', settings: now });
    },
    knows: (now) => {
      settings = { ...settings, ...now };
    },
    moved: (move, session) => {
      if (urls === null) return;
      for (const one of meeting(session))
        if (open.has(one)) parts.note(one, { at: clock(), kind: 'clock', settings: move });
    },
    isNamed: (session) => named.has(session),
    follow,
    mark: (session, text) => {
      const at = clock();
      parts.note(session, { at, kind: 'mark', settings: { text } });
      return at;
    },
    // Of one that began on another day, or under another name, the sessions are its own.
    under: parts.name,
    read: () => name,
    adopt: (now) => {
      if (now === name) return;
      const before = name;
      name = String(now);
      goOn(before);
    },
    end: () => {
      if (urls === null) return;
      for (const session of open) parts.note(session, { at: clock(), kind: 'stopped', settings: {} });
    },
  };
}

const tooMany = (most: number): string =>
  `Calls may name at most ${counted(most, 'session')} until the gateway restarts, and a single TPP no more than it leaves for others.`;

/** `NAME`, `NAME-2`, `NAME-3`: the first one that the store does not hold. */
function freeName(name: string, sessions: readonly SessionInfo[], open: ReadonlySet<string>): string {
  const taken = new Set([...sessions.map((session) => session.name), ...open]);
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}-${n}`;
  return free;
}

/** What an exchange takes besides its texts. */
const OVERHEAD = 500;

function sizeOf({ call: { request }, answer }: Exchange): number {
  const bodies = (request.body?.text.length ?? 0) + (answer?.body?.text.length ?? 0);
  return (
    OVERHEAD + request.target.length + lengthOf(request.headers) + lengthOf(answer?.headers ?? []) + bodies
  );
}

function lengthOf(headers: HeaderList): number {
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  return length;
}
