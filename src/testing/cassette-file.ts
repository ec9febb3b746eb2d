/** The cassette of a test's gateway: what the bank said, in one file for git, written anew or extended. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { dialectIn } from '../app/config/index.js';
import { type AnswerSource, type FileRecord, type FileRecording, recordedAgain } from '../exchange/index.js';
import {
  buildCassette,
  type CassetteMeta,
  readCassette,
  readRecording,
} from '../exchange/recording/index.js';
import type { Lock } from '../files/index.js';
import { DAY_MS, dateAt, isDate, SandgateError, unreadable, unwritable } from '../spec/index.js';
import { type RecordedExchange, replaceFile } from '../store/index.js';
import type { OpenedGateway } from './start-gateway.js';

export const cassetteExists = (file: string): boolean => existsSync(file);

function readCassetteFile(file: string): FileRecording {
  try {
    return readRecording(readFileSync(file, 'utf8'), { name: file });
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw unreadable(file, cause);
  }
}

/**
 * What is worth recording: what the bank said, and what it called. That it could not be reached is nothing to replay.
 * @param refusals whether refusals of the rules belong to it; where the rules refuse in the replay too, they come again
 */
function recordable(records: Iterable<RecordedExchange>, refusals: boolean): FileRecord[] {
  const sources: readonly (AnswerSource | undefined)[] = [
    'emulator',
    'upstream',
    ...(refusals ? ['rule' as const] : []),
  ];
  const kept: FileRecord[] = [];
  let steps: NonNullable<FileRecord['steps']> = [];
  for (const { exchange, findings, steps: inFront = [] } of records) {
    const { call, answer } = exchange;
    steps = [...steps, ...inFront];
    if (!sources.includes(answer?.source) && call.direction !== 'to-tpp') continue;
    kept.push({ exchange, findings, ...(steps.length === 0 ? {} : { steps }) });
    steps = [];
  }
  return kept;
}

/**
 * Where there was one, lines change only where the journey does.
 * @param unique a text that no other writer has
 */
async function writeCassette(
  file: string,
  records: readonly FileRecord[],
  meta: CassetteMeta,
  unique: string,
): Promise<void> {
  try {
    const fresh = [...buildCassette(records, meta)].join('');
    const whole = cassetteExists(file) ? recordedAgain(fresh, readFileSync(file, 'utf8')) : fresh;
    await replaceFile(file, [whole], unique);
  } catch (cause) {
    throw unwritable(`The cassette ${file}`, cause);
  }
}

export interface RecordingTask {
  readonly file: string;
  readonly plan: 'record' | 'extend';
  /** Writes what was recorded, once the gateway is closed; nothing where nothing was. */
  readonly finish: (run: readonly RecordedExchange[], opened: OpenedGateway) => Promise<void>;
}

interface TaskParts {
  readonly file: string;
  readonly plan: RecordingTask['plan'];
  readonly refusals: boolean;
  readonly lock: Lock;
  /** Makes texts that no other writer has. */
  readonly uuid: () => string;
}

export function openRecordingTask({ file, plan, refusals, lock, uuid }: TaskParts): RecordingTask {
  const recorded = plan === 'extend' ? readExtendable(file) : [];
  const before = plan === 'record' ? countRecorded(file) : 0;
  return {
    file,
    plan,
    finish: async (run, opened) => {
      const added = recordable(run, refusals);
      if (added.length === 0) return;
      const meta = metaOf(file, opened);
      const days = opened.gateway.session().replay?.daysShifted ?? 0;
      const whole = plan === 'extend' ? extendRecording({ recorded, run, added, days, meta }) : added;
      const reason = !lock.isHeld()
        ? 'its lock was removed meanwhile, and another gateway may have recorded it'
        : whole.length * 2 < before
          ? `${whole.length} exchanges were recorded, where it holds ${before}`
          : null;
      if (reason === null) return writeCassette(file, whole, meta, uuid());
      const beside = `${file}.new`;
      await writeCassette(beside, whole, meta, uuid());
      throw new SandgateError('testing.left-alone', { file, reason, beside });
    },
  };
}

function readExtendable(file: string): readonly FileRecord[] {
  const { format, records } = readCassetteFile(file);
  if (format === 'cassette') return records;
  throw new SandgateError('testing.har-extended', { file });
}

/** The number of calls that a new recording would replace; 0 if the file cannot be read, so nothing of use is lost. */
function countRecorded(file: string): number {
  if (!cassetteExists(file)) return 0;
  try {
    return readCassetteFile(file).records.length;
  } catch {
    return 0;
  }
}

function metaOf(file: string, { app, config }: OpenedGateway): CassetteMeta {
  const { api, psu } = app.urls;
  const { upstream, upstreamPsu } = config;
  const bank = [...new Set([upstream ?? [], upstreamPsu ?? []].flat().map(({ origin }) => origin))];
  return {
    session: basename(file, extname(file)),
    dialect: dialectIn(config),
    origins: { api, psu, ...(bank.length === 0 ? {} : { bank }) },
  };
}

interface Extension {
  readonly recorded: readonly FileRecord[];
  /** All that this run exchanged, in order. */
  readonly run: readonly RecordedExchange[];
  /** Calls that the recording lacked, in order. */
  readonly added: readonly FileRecord[];
  readonly days: number;
  readonly meta: CassetteMeta;
}

/** Each added one comes after the recorded one that was replayed last before it, or at the beginning. */
function extendRecording({ recorded, run, added, days, meta }: Extension): FileRecord[] {
  const moved = moveToRecording(added, days, meta);
  const places = placesOf(recorded, run, new Set(added.map(({ exchange }) => exchange.call.id)));
  const before = new Map<number, FileRecord[]>();
  for (const [i, record] of moved.entries()) {
    const place = places[i] ?? recorded.length;
    const there = before.get(place);
    if (there === undefined) before.set(place, [record]);
    else there.push(record);
  }
  const whole = recorded.flatMap((record, place) => [...(before.get(place) ?? []), record]);
  return [...whole, ...(before.get(recorded.length) ?? [])];
}

/** For each added exchange the position in the recording before which it belongs. */
function placesOf(
  recorded: readonly FileRecord[],
  run: readonly RecordedExchange[],
  added: ReadonlySet<string>,
): number[] {
  const free = new Map<string, number[]>();
  for (const [index, record] of recorded.entries()) {
    const key = likenessOf(record);
    const there = free.get(key);
    if (there === undefined) free.set(key, [index]);
    else there.push(index);
  }
  const places: number[] = [];
  // If nothing was replayed yet, the new calls are a journey of their own, after all others.
  let place = recorded.length;
  let hasReplayed = false;
  for (const record of run) {
    if (added.has(record.exchange.call.id)) places.push(place);
    const index = free.get(likenessOf(record))?.shift();
    if (record.exchange.answer?.source !== 'replay' || index === undefined) continue;
    place = hasReplayed ? Math.max(place, index + 1) : index + 1;
    hasReplayed = true;
  }
  return places;
}

/** Equal for a recorded exchange and its replay. */
function likenessOf({ exchange: { call, answer } }: FileRecord): string {
  return `${call.listener} ${call.request.method} ${call.request.path} ${answer?.status}`;
}

/** A replay moves all dates of a recording alike, so those of today are moved back before they join it. */
function moveToRecording(
  added: readonly FileRecord[],
  days: number,
  meta: CassetteMeta,
): readonly FileRecord[] {
  if (days === 0 || added.length === 0) return added;
  const file = JSON.parse([...buildCassette(added, meta)].join('')) as {
    exchanges: unknown;
    recorded: string;
  };
  const recorded = new Date(Date.parse(file.recorded) - days * DAY_MS).toISOString();
  const moved = JSON.stringify({ ...file, recorded, exchanges: moveDates(file.exchanges, -days) });
  return readCassette(moved).records;
}

function moveDates(value: unknown, days: number): unknown {
  if (typeof value === 'string') return moveDatesOf(value, days);
  if (Array.isArray(value)) return value.map((item) => moveDates(item, days));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, moveDates(member, days)]));
}

/** Not inside of longer numbers or of ids. */
const DATE = /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\d-])/g;

function moveDatesOf(text: string, days: number): string {
  return text.replace(DATE, (date) => (isDate(date) ? dateAt(Date.parse(date) + days * DAY_MS) : date));
}
