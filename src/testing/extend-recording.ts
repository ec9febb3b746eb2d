/** Adds missing exchanges to a recording: in their place, on the recording's dates. */
import type { FileRecord } from '../exchange/index.js';
import { buildCassette, type CassetteMeta, readCassette } from '../exchange/recording/index.js';
import { DAY_MS, dateAt, isDate } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';

export interface Extension {
  readonly recorded: readonly FileRecord[];
  /** All that this run exchanged, in order. */
  readonly run: readonly RecordedExchange[];
  /** Those of the run that the recording lacked, in order. */
  readonly added: readonly FileRecord[];
  readonly days: number;
  readonly meta: CassetteMeta;
}

/** Each added one comes after the recorded one that was replayed last before it, or at the beginning. */
export function extendRecording({ recorded, run, added, days, meta }: Extension): FileRecord[] {
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
  // Where nothing was replayed yet, it is a journey of its own: it comes after all that is there.
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
