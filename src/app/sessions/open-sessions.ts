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
import type { Apply } from '../gateway/headers.js';

type Urls = NonNullable<GatewayNote['settings']['urls']>;

export interface SessionsParts {
  readonly store: Pick<Store, 'append' | 'sessions'>;
  /** Keeps a note with the next exchanges that are kept: no call waits for it, and none fails with it. */
  readonly note: (session: string, note: SessionNote) => void;
  /** A note redacted as `note` does it. */
  readonly clean?: (note: SessionNote) => SessionNote;
  readonly clock: () => number;
  readonly name: string;
  /** What is noted of each session at its start. */
  readonly settings: GatewayNote['settings'];
  /** Called with a session that a call names, before anything is asked of it. */
  readonly enter?: (session: string) => Awaitable<unknown>;
  /** Settings of one session by its name, asked when it is noted. */
  readonly settingsIn?: (session: string) => GatewayNote['settings'];
  /** Whether sessions that calls name have clocks of their own. */
  readonly isolated?: boolean;
  /** In bytes, about: a session that holds so much is followed by another one. */
  readonly rotateSize: number | undefined;
  readonly rotateEvery: number | undefined;
  /** Sessions that calls may name in one run; one TPP no more than it leaves for others. */
  readonly mostNamed: number;
  /** Moves all gateways on to another session, or none; see `Headers.share`. */
  readonly share?: (apply: Apply) => Awaitable<void>;
  /** A session that is answered from must not grow. */
  readonly replayed: string | undefined;
}

export type Sessions = Awaited<ReturnType<typeof openSessions>>;

export async function openSessions(parts: SessionsParts) {
  const { share = (apply) => void apply(), clean = (note) => note } = parts;
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
    /** The session of calls that name none, notifications too. */
    current: (): string => {
      if (!isRotating && (size >= rotateSize || clock() - since >= rotateEvery)) void startRotating();
      return name;
    },
    meeting,
    /** Enters the session that a call asks for, by a name of the right form. A stranger enters only one that is there. */
    named: (wanted: string, asker: SessionAsker): Awaitable<NamedSession> => {
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
    isOpen: (session: string): boolean => open.has(session),
    grew: (exchange: Exchange): void => {
      if (rotates && exchange.call.session === name) size += sizeOf(exchange);
    },
    /** Once the listeners listen: from now on sessions note their start, with what addresses are known then. */
    begin: async (known: () => Urls): Promise<void> => {
      urls = known;
      // A store that cannot be written to ends the start of the gateway.
      for (const session of open) await noteIn(parts.store, session, clean(startOf(session, known)));
    },
    /** Settings have another value now: noted in all of them, and at the start of those that follow. */
    changed: (now: GatewayNote['settings']): void => {
      settings = { ...settings, ...now };
      // Before the start is noted it is a part of it.
      if (urls === null) return;
      for (const session of open) parts.note(session, { at: clock(), kind: 'changed', settings: now });
    },
    /** Another gateway has changed settings: noted at the start of sessions that follow. */
    knows: (now: GatewayNote['settings']): void => {
      settings = { ...settings, ...now };
    },
    moved: (move: NoteSettings<'clock'>, world: string): void => {
      if (urls === null) return;
      for (const one of meeting(world))
        if (open.has(one)) parts.note(one, { at: clock(), kind: 'clock', settings: move });
    },
    /** Goes on in another session, which gets a number where its name is taken; resolves with its name. */
    follow,
    /** Sets a mark in a session of this run; gives its time, epoch ms. */
    mark: (session: string, text: string): number => {
      const at = clock();
      parts.note(session, { at, kind: 'mark', settings: { text } });
      return at;
    },
    // Of one that began on another day, or under another name, the sessions are its own.
    under: parts.name,
    read: (): unknown => name,
    adopt: (now: unknown): void => {
      if (now === name) return;
      const before = name;
      name = String(now);
      goOn(before);
    },
    /** Notes the end of all of them; without `begin` there is nothing to note. */
    end: (): void => {
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

/** Bytes that an exchange takes besides its texts. */
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
