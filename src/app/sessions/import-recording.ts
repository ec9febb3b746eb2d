/**
 * Imports a HAR or cassette into the store as a session: redacted, with new ids where needed, judged where it was not.
 */
import {
  type Call,
  createFingerprint,
  createIdSource,
  createPseudonyms,
  createRedactor,
  type Exchange,
  type FileRecord,
  type FileRecording,
  numberOfId,
  timeOfId,
} from '../../exchange/index.js';
import { redactRecord } from '../../recorder/index.js';
import { DAY_MS, SandgateError } from '../../spec/index.js';
import type { RecordedExchange, Store } from '../../store/index.js';
import { createOfflineJudge, judgeRecording } from '../check/judge-recording.js';
import type { Config } from '../config/config.js';
import { judgedBy } from './settings-of.js';

export interface ImportParts {
  readonly store: Store;
  readonly config: Config;
  /** The name that the session gets; there must be none of that name yet. */
  readonly session: string;
  /** What the user called the file. */
  readonly file: string;
  /** Epoch ms. */
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
export async function* importRecording(recording: FileRecording, parts: ImportParts): AsyncGenerator<number> {
  const { store, session, now, config } = parts;
  const nextId = await idsFor(recording.records, store, now);
  const redact = createRedactor(createFingerprint(store.fingerprintKey));
  const pseudonyms = config.pseudonymise ? createPseudonyms(store.fingerprintKey) : undefined;
  let done = 0;
  let whole = false;
  await noteFile(recording, parts);
  try {
    const records = judged(recording, parts);
    for (let batch = take(records, BATCH); batch.length > 0; batch = take(records, BATCH)) {
      const kept = batch.map(({ exchange, ...said }) =>
        redactRecord(redact(moved(exchange, nextId(exchange), session)), said, pseudonyms),
      );
      await store.append({ records: kept, changes: [] });
      done += kept.length;
      yield done;
    }
    whole = true;
  } finally {
    if (!whole) for await (const _ of store.remove(session));
  }
}

/** The notes of the session itself, and that it was imported, at the time of its first call: it began then. */
async function noteFile(
  recording: FileRecording,
  { store, session, file, now, config }: ImportParts,
): Promise<void> {
  const { format, segment, listeners, notes, records, recordedBy } = recording;
  if ((await store.sessions()).some(({ name }) => name === session)) throw sessionExists(session);
  for (const note of notes) await store.note(session, note);
  const settings = {
    ...{ file, format, exchanges: records.length, importedAt: new Date(now).toISOString() },
    // A file of others tells neither who answered nor what stood before it.
    ...(recordedBy === undefined ? {} : { recordedBy, source: 'unknown', stance: 'none' }),
    ...(isRaw(recording) ? judgedBy(config) : {}),
    segment,
    ...(listeners === undefined ? {} : { urls: listeners }),
  };
  const first = records[0]?.exchange.call.at ?? now;
  await store.note(session, { at: Math.min(first, now), kind: 'imported', settings });
}

function sessionExists(session: string): SandgateError {
  return new SandgateError('session.name-taken', { name: session });
}

/** As a program of others wrote it: nobody has judged it, and it is not redacted. */
function isRaw({ session }: FileRecording): boolean {
  return session === undefined;
}

function* judged(
  recording: FileRecording,
  { store, config, now }: ImportParts,
): Generator<RecordedExchange, undefined> {
  const { records, segment, origins } = recording;
  if (!isRaw(recording)) {
    for (const { exchange, verdicts = {}, findings = [] } of records) yield { exchange, verdicts, findings };
    return undefined;
  }
  const fingerprint = createFingerprint(store.fingerprintKey);
  const today = new Date(now).toISOString().slice(0, 10);
  const judge = createOfflineJudge(config, { fingerprint, segment, origins, today, foreign: true });
  yield* judgeRecording(records, { judge, fingerprint, overrides: config.rules ?? {} });
  return undefined;
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

function moved(exchange: Exchange, id: string, session: string): Exchange {
  return { ...exchange, call: exchange.call.with({ id, session }) };
}

/**
 * A recording of ours keeps its ids where all of them are free. Otherwise new ones keep the order and the times of
 * those of the file, at which the calls arrived: they lie in the past, where no gateway that runs gives any.
 */
async function idsFor(
  records: readonly FileRecord[],
  store: Pick<Store, 'find'>,
  now: number,
): Promise<(exchange: Exchange) => string> {
  const own = records.map(({ exchange }) => exchange.call.id);
  const areUsable =
    new Set(own).size === own.length &&
    own.every((id) => numberOfId(id) !== null && !isAhead(id, now)) &&
    (await noneOf(own, store));
  if (areUsable) return ({ call }) => call.id;
  let at = 0;
  const next = createIdSource({ clock: () => at });
  const made = new Map<Call, string>();
  const calls = records.map(({ exchange }) => exchange.call);
  for (const call of calls.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))) {
    at = Math.min(Math.max(timeOfId(call.id) ?? Math.floor(call.at), 0), now);
    let id = next();
    while ((await store.find(id)) !== null) id = next();
    made.set(call, id);
  }
  return ({ call }) => made.get(call) as string;
}

async function noneOf(ids: readonly string[], store: Pick<Store, 'find'>): Promise<boolean> {
  for (const id of ids) if ((await store.find(id)) !== null) return false;
  return true;
}

/** New ids go on from the greatest one: an id of the far future would leave them no room. */
function isAhead(id: string, now: number): boolean {
  return (timeOfId(id) ?? 0) > now + MOST_AHEAD_MS;
}
