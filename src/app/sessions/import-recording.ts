/**
 * Imports a HAR or cassette into the store as a session: redacted, with new ids where needed, judged where it was not.
 */
import {
  createFingerprint,
  createIdSource,
  createPseudonyms,
  createRedactor,
  idOfNumber,
  numberOfId,
  type RecordedCall,
  type RecordingFile,
  type SessionNote,
  through,
  timeOfId,
} from '../../exchange/index.js';
import { redactNote, redactRecord } from '../../recorder/index.js';
import { DAY_MS, dateAt, SandgateError } from '../../spec/index.js';
import {
  type Awaitable,
  type NotedSession,
  noteIn,
  type RecordedExchange,
  type Store,
} from '../../store/index.js';
import { judgeRecording } from '../check/judge-recording.js';
import type { Config } from '../config/config.js';
import { createOfflineJudge } from '../report/judging.js';
import { judgedBy } from './session-notes.js';

export interface ImportParts {
  readonly store: Store;
  readonly config: Config;
  readonly session: string;
  readonly file: string;
  readonly now: number;
}

/** Exchanges of one transaction: short enough that a gateway on the same store hardly waits. */
const BATCH = 100;
/** Clocks of two machines may differ. */
const MOST_AHEAD_MS = DAY_MS;

/**
 * Yields after each batch how many exchanges are in. What the file says was judged stays as it is; traffic of others
 * is judged by the settings of the user. Nothing that is learned from it goes into the ledger. Left early, it takes out
 * again what it has brought in.
 */
export async function* importRecording(recording: RecordingFile, parts: ImportParts): AsyncGenerator<number> {
  const { store, session, now, config } = parts;
  if ((await store.sessions()).some(({ name }) => name === session))
    throw new SandgateError('session.name-taken', { name: session });
  const ids = await idsFor(recording.calls, store, now);
  const fingerprint = createFingerprint(store.fingerprintKey);
  const redact = createRedactor(fingerprint);
  const pseudonyms = config.pseudonymise ? createPseudonyms(store.fingerprintKey) : undefined;
  let done = 0;
  let whole = false;
  const notes = placedNotes(recording, session).map((noted) => ({
    ...noted,
    note: redactNote(noted.note, fingerprint, pseudonyms),
  }));
  /** Notes in front of the record at a place. */
  const upTo = (place: number) => {
    const first = notes.findIndex(({ behind }) => behind.records > place);
    return notes.splice(0, first < 0 ? notes.length : first);
  };
  await noteFile(recording, upTo(0), parts);
  try {
    const records = judged(recording, parts);
    for (let batch = take(records, BATCH); batch.length > 0; batch = take(records, BATCH)) {
      const kept = batch.map(({ exchange, ...said }, i) => {
        const call = exchange.call.with({ id: ids[done + i] as string, session });
        return redactRecord(redact({ ...exchange, call }), said, pseudonyms);
      });
      const among = upTo(done + kept.length - 1).map((noted) => ({
        ...noted,
        behind: { records: noted.behind.records - done },
      }));
      await store.append({ notes: among, records: kept, changes: [] });
      done += kept.length;
      yield done;
    }
    for (const { note } of notes) await noteIn(store, session, note);
    whole = true;
  } finally {
    if (!whole) for await (const _ of store.remove(session));
  }
}

/** Notes with their places: those that have none keep their order with the others. */
function placedNotes({ notes }: RecordingFile, session: string) {
  let records = 0;
  return notes.map(({ behind = 0, ...note }) => {
    records = Math.max(records, behind);
    return { session, note: note as SessionNote, behind: { records } };
  });
}

/** That it was imported, at the time of its first note or call, when it began; then the first notes of the session itself. */
async function noteFile(
  recording: RecordingFile,
  notes: readonly NotedSession[],
  { store, session, file, now, config }: ImportParts,
): Promise<void> {
  const { format, dialect, listeners, calls, recordedBy } = recording;
  const settings = {
    file,
    format,
    exchanges: calls.length,
    importedAt: new Date(now).toISOString(),
    // A file of others tells neither who answered nor what stood before it.
    ...(recordedBy === undefined ? {} : { recordedBy, source: 'unknown', stance: 'none' }),
    ...(isRaw(recording) ? judgedBy(config) : {}),
    segment: dialect.segment,
    bankProfile: dialect.profile,
    ...(listeners === undefined ? {} : { urls: listeners }),
  };
  const first = Math.min(calls[0]?.at ?? now, now, ...notes.map(({ note }) => note.at));
  // The first entry of a chain tells where it is from.
  await noteIn(store, session, { at: first, kind: 'imported', settings });
  for (const { note } of notes) await noteIn(store, session, note);
}

/** A file that another program wrote: nobody has judged it, and it is not redacted. */
const isRaw = ({ session }: RecordingFile): boolean => session === undefined;

function* judged(recording: RecordingFile, { store, config, now }: ImportParts): Generator<RecordedExchange> {
  const { records, calls, dialect, origins } = recording;
  if (!isRaw(recording)) {
    for (const { exchange, verdicts = {}, findings = [] } of records())
      yield { exchange, verdicts, findings };
    return;
  }
  const fingerprint = createFingerprint(store.fingerprintKey);
  const today = dateAt(now);
  const judge = createOfflineJudge(config, { fingerprint, dialect, origins, today, foreign: true });
  yield* through(records(), judgeRecording({ judge, fingerprint, overrides: config.rules ?? {}, calls }));
}

function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/**
 * A recording of ours keeps its ids where all of them are free. Otherwise new ones keep the order and the times of
 * those of the file, at which the calls arrived: they lie in the past, where no gateway that runs gives any.
 */
async function idsFor(
  calls: readonly RecordedCall[],
  store: Pick<Store, 'find' | 'calls'>,
  now: number,
): Promise<string[]> {
  const own = calls.map(({ id }) => id);
  const isUsable = (id: string) => numberOfId(id) !== null && !isAhead(id, now);
  if (own.every(isUsable) && new Set(own).size === own.length && (await areFree(own, store))) return own;
  const made = await newIds(calls, now, () => false);
  if (await areFree(made, store)) return made;
  return newIds(calls, now, async (id) => (await store.find(id)) !== null);
}

async function newIds(
  calls: readonly RecordedCall[],
  now: number,
  isTaken: (id: string) => Awaitable<boolean>,
): Promise<string[]> {
  let at = 0;
  const next = createIdSource({ clock: () => at });
  const made: string[] = [];
  const byArrival = calls
    .map((call, index) => ({ call, index }))
    .sort((a, b) => compareIds(a.call.id, b.call.id));
  for (const { call, index } of byArrival) {
    at = Math.min(Math.max(timeOfId(call.id) ?? Math.floor(call.at), 0), now);
    let id = next();
    for (let taken = isTaken(id); taken !== false && (await taken); taken = isTaken(id)) id = next();
    made[index] = id;
  }
  return made;
}

/** Where the store holds none between the first and the last of them, none has to be looked for. */
async function areFree(ids: readonly string[], store: Pick<Store, 'find' | 'calls'>): Promise<boolean> {
  let [least, most] = [Number.POSITIVE_INFINITY, -1];
  for (const id of ids) {
    const number = numberOfId(id) ?? 0;
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  if (most < 0) return true;
  const newest = await store.calls.newest(idOfNumber(most));
  if (newest === null || (numberOfId(newest) ?? 0) < least) return true;
  for (const id of ids) if ((await store.find(id)) !== null) return false;
  return true;
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** New ids go on from the greatest one: an id of the far future would leave them no room. */
function isAhead(id: string, now: number): boolean {
  return (timeOfId(id) ?? 0) > now + MOST_AHEAD_MS;
}
