/** The views of sessions: read from the store when somebody asks first, kept up to date while somebody does, then forgotten. */
import type { RecordedExchange } from '../../store/index.js';
import type { GrownJourney } from '../journeys/journey.js';
import { createJourneys } from '../journeys/journeys.js';
import type { Surroundings } from '../journeys/show-journey.js';
import { type StepCall, stepCallOf } from '../journeys/step-call.js';
import type { Kept } from './feed.js';
import type { LivePort } from './port.js';
import { createFigures, MOST_READ, readView, type Seen, type SessionView, seenOf } from './session-view.js';
import { createPace } from './thinning.js';

export type Views = ReturnType<typeof createViews>;

/** Views kept at one time; beyond that the oldest is read anew when asked for. */
const MOST_VIEWS = 4;
const IDLE_MS = 120_000;
/** Exchanges a second. Of what comes faster one of each batch is a step; when it is quieter, journeys are read anew. */
const MOST_TAKEN = 2_000;
/** Exchanges that wait to be counted while the view is read: more than come meanwhile. */
const MOST_UNCOUNTED = 100_000;
const LOOK_MS = 1_000;

type Opened = ReturnType<typeof emptyView> & {
  /** Steps that came while the store is read; null when that is done. */
  waiting: StepCall[] | null;
  /** Exchanges to count that came meanwhile; null when that is done. */
  uncounted: Seen[] | null;
};

const emptyView = (stopwatch: () => number) => ({
  figures: createFigures(),
  journeys: createJourneys(),
  ready: Promise.resolve(),
  followers: new Set<(journey: GrownJourney) => void>(),
  asked: stopwatch(),
  pace: createPace(MOST_TAKEN, stopwatch),
  isPartial: false,
  /** Nor will they be by the reading that goes on. */
  hasSkipped: false,
  cancelLook: () => {},
});

export function createViews(port: LivePort) {
  const opened = new Map<string, Opened>();
  let stop: (() => void) | null = null;

  const forget = (session: string): void => {
    opened.get(session)?.cancelLook();
    opened.delete(session);
    if (opened.size > 0) return;
    stop?.();
    stop = null;
  };
  const tell = (one: Opened, step: StepCall): void => {
    for (const journey of one.journeys.take(step)) tellJourney(one, journey);
  };
  const tellJourney = ({ followers }: Opened, journey: GrownJourney): void => {
    for (const onJourney of followers) onJourney(journey);
  };
  const take = ({ records, changes }: Kept): void => {
    for (const [session, one] of opened) {
      takeRecords(session, one, records);
      for (const change of changes) tellFact(one, change);
      if (one.followers.size === 0 && port.stopwatch() - one.asked > IDLE_MS) forget(session);
    }
  };
  const takeRecords = (session: string, one: Opened, records: readonly RecordedExchange[]): void => {
    const own = records.filter(({ exchange }) => exchange.call.session === session);
    for (const record of own) {
      const seen = seenOf(record);
      if (one.uncounted === null) one.figures.count(seen);
      else if (one.uncounted.length < MOST_UNCOUNTED) one.uncounted.push(seen);
    }
    const steps = one.pace.add(own.length) ? own.slice(0, 1) : own;
    if (steps.length < own.length) skip(session, one);
    for (const record of steps) {
      const step = stepCallOf(record);
      if (one.waiting === null) tell(one, step);
      else if (one.waiting.length < MOST_READ) one.waiting.push(step);
      else skip(session, one);
    }
  };
  /** An operator, a PSU or the time changed a consent or payment. */
  const tellFact = (one: Opened, change: Kept['changes'][number]): void => {
    if (!('family' in change) || one.followers.size === 0) return;
    const kind = KIND_OF_FAMILY[change.family];
    const journey = kind === undefined ? null : one.journeys.find(kind, change.key);
    if (journey !== null) tellJourney(one, journey);
  };
  const skip = (session: string, one: Opened): void => {
    one.hasSkipped = true;
    if (one.isPartial) return;
    one.isPartial = true;
    lookLater(session, one);
  };
  const lookLater = (session: string, one: Opened): void => {
    one.cancelLook = port.after(LOOK_MS, () => {
      if (one.pace.isOver() || one.waiting !== null) lookLater(session, one);
      else if (one.followers.size === 0) forget(session);
      else void mend(session, one);
    });
  };
  /** Reads what was skipped from the store; a failed reading is tried again. */
  const mend = async (session: string, one: Opened): Promise<void> => {
    await fill(session, one).catch(() => {
      one.hasSkipped = true;
    });
    if (opened.get(session) !== one) return;
    one.isPartial = one.hasSkipped;
    if (one.isPartial) lookLater(session, one);
    else for (const journey of one.journeys.all()) tellJourney(one, journey);
  };
  const listen = (): void => {
    stop ??= port.feed.listen({
      take,
      // The exchanges not sent are in the store.
      lost: () => {
        for (const [session, one] of opened)
          if (one.followers.size === 0) forget(session);
          else reopen(session, one);
      },
      stirred: () => {},
    });
  };
  const reopen = (session: string, { followers, cancelLook }: Opened): void => {
    cancelLook();
    const again = open(session);
    for (const onJourney of followers) again.followers.add(onJourney);
  };

  function open(session: string): Opened {
    const one: Opened = { ...emptyView(port.stopwatch), waiting: [], uncounted: [] };
    listen();
    one.ready = fill(session, one);
    one.ready.catch(() => {
      if (opened.get(session) === one) forget(session);
    });
    opened.set(session, one);
    for (const [name, { followers }] of opened)
      if (opened.size > MOST_VIEWS && followers.size === 0 && name !== session) forget(name);
    return one;
  }

  async function fill(session: string, one: Opened): Promise<void> {
    one.waiting = [];
    one.hasSkipped = false;
    let known: ReadonlySet<string> = new Set();
    try {
      await port.feed.begun();
      const read = await readView(port, session);
      one.journeys = read.journeys;
      if (one.uncounted !== null) one.figures = read.figures;
      known = read.known;
    } finally {
      const { waiting, uncounted } = one;
      one.waiting = one.uncounted = null;
      for (const seen of uncounted ?? []) if (!known.has(seen.exchange)) one.figures.count(seen);
      for (const step of waiting) if (!known.has(step.exchange)) tell(one, step);
    }
  }

  const get = (session: string): Opened => {
    const one = opened.get(session) ?? open(session);
    one.asked = port.stopwatch();
    return one;
  };
  return {
    port,
    of: async (session: string): Promise<SessionView> => {
      const one = get(session);
      await one.ready;
      return { ...one.figures, journeys: one.journeys };
    },
    /** Tells of each journey that changes; the function given back ends it. */
    follow: (session: string, onJourney: (journey: GrownJourney) => void) => {
      const { followers } = get(session);
      followers.add(onJourney);
      return () => void opened.get(session)?.followers.delete(onJourney);
    },
    /** More comes than is looked at: journeys are of some of it, and of all of it when it is quieter. */
    isHurried: (session: string) => opened.get(session)?.pace.isOver() ?? false,
    isPartial: (session: string) => opened.get(session)?.isPartial ?? false,
    close: (): void => {
      for (const session of [...opened.keys()]) forget(session);
    },
  };
}

const KIND_OF_FAMILY: Readonly<Record<string, GrownJourney['kind'] | undefined>> = {
  bankConsents: 'consent',
  bankPayments: 'payment',
};

export const surroundingsOf = ({ port, isPartial }: Views, session: string): Surroundings => ({
  ledger: port.ledgerOf(session),
  bank: port.bankOf(session),
  now: port.now(session),
  window: port.window(),
  isPartial: isPartial(session),
});
