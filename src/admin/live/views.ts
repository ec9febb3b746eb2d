/** The views of sessions: read from the store when somebody asks first, kept up to date while somebody does, then forgotten. */
import { setImmediate } from 'node:timers/promises';
import type { RecordedExchange } from '../../store/index.js';
import type { Lane } from '../journeys/lane.js';
import { type Touch, touchOf } from '../journeys/touch.js';
import { createTurns } from '../turns.js';
import type { Kept } from './feed.js';
import type { LivePort } from './port.js';
import { createSessionView, type SessionView } from './session-view.js';

export interface Views {
  readonly port: LivePort;
  readonly of: (session: string) => Promise<SessionView>;
  /** Told of each lane that changes; the function given back ends it. */
  readonly follow: (session: string, onLane: (lane: Lane) => void) => () => void;
  readonly close: () => void;
}

/** So many of the newest exchanges make a view. */
const MOST_READ = 10_000;
/** Few ms of work. */
const A_TURN = 500;
/** At one time; who looks at more has the first one read anew. */
const MOST_VIEWS = 4;
const IDLE_MS = 120_000;

interface Opened {
  readonly view: SessionView;
  readonly ready: Promise<void>;
  /** What came while it was read; null when that is done. */
  waiting: Touch[] | null;
  readonly followers: Set<(lane: Lane) => void>;
  asked: number;
}

export function createViews(port: LivePort): Views {
  const opened = new Map<string, Opened>();
  let stop: (() => void) | null = null;

  const forget = (session: string): void => {
    opened.delete(session);
    if (opened.size > 0) return;
    stop?.();
    stop = null;
  };
  const tell = (one: Opened, touch: Touch): void => {
    const lane = one.view.take(touch);
    if (lane !== null) for (const onLane of one.followers) onLane(lane);
  };
  const take = ({ records, changes }: Kept): void => {
    for (const record of records) {
      const one = opened.get(record.exchange.call.session);
      if (one === undefined) continue;
      const touch = touchOf(record, port);
      if (one.waiting === null) tell(one, touch);
      else if (one.waiting.length < MOST_READ) one.waiting.push(touch);
    }
    for (const [session, one] of opened) {
      for (const change of changes) tellFact(one, change);
      if (one.followers.size === 0 && port.stopwatch() - one.asked > IDLE_MS) forget(session);
    }
  };
  /** What an operator, a PSU or the time did to a consent or payment. */
  const tellFact = (one: Opened, change: Kept['changes'][number]): void => {
    if (!('family' in change) || one.followers.size === 0) return;
    const kind = KIND_OF_FAMILY[change.family];
    const lane = kind === undefined ? null : one.view.lanes.find(kind, change.key);
    if (lane !== null) for (const onLane of one.followers) onLane(lane);
  };
  const listen = (): void => {
    stop ??= port.feed.listen({
      take,
      // What was not told is in the store.
      lost: () => {
        for (const [session, one] of opened)
          if (one.followers.size === 0) forget(session);
          else reopen(session, one);
      },
      stirred: () => {},
    });
  };
  const reopen = (session: string, { followers }: Opened): void => {
    const again = open(session);
    for (const onLane of followers) again.followers.add(onLane);
  };

  function open(session: string): Opened {
    const view = createSessionView();
    const one: Opened = {
      ...{ view, waiting: [], followers: new Set<(lane: Lane) => void>(), asked: port.stopwatch() },
      ready: readOnceBegun(session, view).then((known) => {
        for (const touch of one.waiting ?? []) if (!known.has(touch.exchange)) tell(one, touch);
        one.waiting = null;
      }),
    };
    one.ready.catch(() => {
      if (opened.get(session) === one) forget(session);
    });
    opened.set(session, one);
    for (const [name, { followers }] of opened)
      if (opened.size > MOST_VIEWS && followers.size === 0 && name !== session) forget(name);
    return one;
  }

  async function readOnceBegun(session: string, view: SessionView): Promise<ReadonlySet<string>> {
    listen();
    await port.feed.begun();
    return read(session, view);
  }

  /** Gives the ids of those that came last: they may be told once more. */
  async function read(session: string, view: SessionView): Promise<ReadonlySet<string>> {
    const touches: Touch[] = [];
    const turn = createTurns();
    const options = { backwards: true, limit: MOST_READ, onUnreadable: () => {} } as const;
    for await (const record of port.store.read(session, options) as AsyncIterable<RecordedExchange>) {
      touches.push(touchOf(record, port));
      const pause = turn(record);
      if (pause !== undefined) await pause;
    }
    for (const [i, touch] of touches.toReversed().entries()) {
      view.take(touch);
      if (i % A_TURN === 0) await setImmediate();
    }
    return new Set(touches.map(({ exchange }) => exchange));
  }

  const get = (session: string): Opened => {
    const one = opened.get(session) ?? open(session);
    one.asked = port.stopwatch();
    return one;
  };
  return {
    port,
    of: async (session) => {
      const { view, ready } = get(session);
      await ready;
      return view;
    },
    follow: (session, onLane) => {
      const { followers } = get(session);
      followers.add(onLane);
      return () => void opened.get(session)?.followers.delete(onLane);
    },
    close: () => {
      for (const session of [...opened.keys()]) forget(session);
    },
  };
}

const KIND_OF_FAMILY: Readonly<Record<string, Lane['kind'] | undefined>> = {
  bankConsents: 'consent',
  bankPayments: 'payment',
};
