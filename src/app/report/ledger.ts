/** What was known before a session began, because consents and tokens outlive sessions. */
import { createHindsight, type Hindsight } from '../../bank/index.js';
import { type FileRecord, type Fingerprint, isStep, type StepNote, stepKey } from '../../exchange/index.js';
import type { Recipe } from '../../report/index.js';
import type { Dialect } from '../../spec/index.js';
import {
  type PlacedStep,
  type RecordedExchange,
  type Rows,
  type SessionInfo,
  type Store,
  withSteps,
} from '../../store/index.js';
import {
  firstOf,
  isReplay,
  stepsOf,
  stepsOfWorlds,
  stepsWithin,
  worldOf,
} from '../sessions/session-notes.js';

/** Earlier exchanges that are looked at, the newest. */
const MOST_EARLIER = 50_000;

export type KnownBefore = Awaited<ReturnType<typeof knownBefore>>;

/** `only` names the sessions that may be looked at, where a report is made again. */
export async function knownBefore(
  store: Store,
  session: SessionInfo,
  fingerprint: Fingerprint,
  only?: Recipe['earlier'],
  dialect?: Dialect,
) {
  const known = createHindsight(fingerprint, dialect);
  const worlds = stepsOfWorlds(await store.sessions());
  const { first, sessions, leftAside } = await earlierSessions(store, session, only);
  const steps = await stepsOf(store, session, worlds);
  // What stands in front of its first exchange came among those of other sessions.
  const own = stepsWithin(steps, first).filter(({ before }) => first === null || !before.includes(first));
  const isOwn = new Set(own.map(({ note }) => stepKey(note)));
  const reading = sessions.map(
    (one): Earlier => ({
      // By the clock of one machine it may begin later than what befell the world in the middle of it.
      startedAt: Math.min(one.startedAt, ...one.notes.filter(isStep).map(({ at }) => at)),
      open: async () => ({
        rows: store.read(one.name, { onUnreadable: () => {} }),
        ...withSteps(await stepsOf(store, one, worlds)),
      }),
    }),
  );
  const before = steps.filter((step) => !own.includes(step));
  await learnEarlier(known, reading, before, first, (note) => !isOwn.has(stepKey(note)));
  return {
    known,
    sessions: sessions.map(({ name }) => name),
    /** Earlier sessions that were not read, because it would take too long. */
    leftAside: only?.leftAside ?? leftAside,
    steps: own,
  };
}

/** The sessions that began before this one, the newest that are not too much to read; `first`: its own first exchange. */
export async function earlierSessions(store: Store, session: SessionInfo, only?: Recipe['earlier']) {
  const first = await firstOf(store, session.name);
  // What happens in a replay is no fact about the TPP, and nothing from outside counts in it.
  const sessions: SessionInfo[] = [];
  if (first === null || isReplay(session)) return { first, sessions, leftAside: 0 };
  const others = (await store.sessions())
    .filter(({ name, exchanges }) => name !== session.name && exchanges > 0)
    .filter(({ name }) => only === undefined || only.sessions.includes(name))
    .filter((one) => !isReplay(one) && worldOf(one) === worldOf(session));
  let left = MOST_EARLIER;
  let leftAside = 0;
  for (const one of others.reverse()) {
    if (((await firstOf(store, one.name)) ?? first) >= first) continue;
    left -= one.exchanges;
    if (left < 0) leftAside++;
    else sessions.unshift(one);
  }
  return { first, sessions, leftAside };
}

export interface Earlier {
  readonly startedAt: number;
  /** Begins to read it: of what is read a part lies in memory. */
  readonly open: () => Promise<EarlierRows>;
}

interface EarlierRows {
  readonly rows: Rows<RecordedExchange>;
  /** Puts in front of an exchange what befell the world before it. */
  readonly take: (record: RecordedExchange) => Iterable<FileRecord>;
}

interface Reading extends Pick<Earlier, 'startedAt'> {
  readonly next: () => Promise<FileRecord | null>;
  /** null at its end; undefined before its beginning. */
  record: FileRecord | null | undefined;
}

/**
 * Learns from sessions that ran side by side in one world, up to the exchange `first` of each: what befell the world stands in
 * each of them, and befell it once. `steps`: all that befell the world by then, in order; others that stand in a session
 * are passed over unless they are `wanted`. Only those are open side by side in the middle of which something befell the
 * world.
 */
export async function learnEarlier(
  known: Pick<Hindsight, 'befall' | 'learn'>,
  sessions: readonly Earlier[],
  steps: readonly PlacedStep[],
  first: string | null,
  isWanted: (note: StepNote) => boolean,
): Promise<void> {
  const befallen = new Set<string>();
  const isDue = (note: StepNote): boolean => isWanted(note) && !befallen.has(stepKey(note));
  const befall = (note: StepNote): void => {
    befallen.add(stepKey(note));
    known.befall(note);
  };
  let reading = sessions.map(({ startedAt, open }): Reading => {
    return { startedAt, next: nextOf(open, first), record: undefined };
  });
  for (;;) {
    let step: StepNote | undefined;
    for (const one of reading) {
      // What began later has nothing that befell the world before.
      if (one.record === undefined && step !== undefined && step.at < one.startedAt) continue;
      if (one.record === undefined) one.record = await one.next();
      for (; one.record !== null; one.record = await one.next()) {
        const due = one.record.steps?.find(isDue);
        if (due !== undefined) {
          if (step === undefined || due.at < step.at) step = due;
          break;
        }
        known.learn(one.record.exchange);
      }
    }
    reading = reading.filter(({ record }) => record !== null);
    if (step === undefined) break;
    befall(step);
  }
  for (const { note } of steps) if (isDue(note)) befall(note);
}

function nextOf(open: Earlier['open'], first: string | null): Reading['next'] {
  let isAtEnd = false;
  let opened: EarlierRows | undefined;
  return async () => {
    opened ??= await open();
    const { rows, take } = opened;
    const found = isAtEnd ? undefined : await rows.next();
    const record: RecordedExchange | undefined = found?.done === true ? undefined : found?.value;
    isAtEnd ||= record === undefined || first === null || record.exchange.call.id >= first;
    if (isAtEnd) await rows.return?.();
    const [taken = null] = isAtEnd || record === undefined ? [] : take(record);
    return taken;
  };
}
