/** Verifies the chain of a session and reports where it is broken. */
import { arrivedAt, type Stage, through } from '../exchange/index.js';
import { type ChainBreak, earlierLink, exchangeLink, hexOf, noteLink } from './chain.js';
import { CHAIN_NOTES, type Created, type Removed, readRemoved } from './chain-notes.js';
import type { ChainRows, LinkedRow, NoteRow, SessionRow, Stray } from './chain-rows.js';
import type { VerifyOptions } from './port.js';
import type { RecordTexts } from './record-codec.js';
import { numberOf, readSettings, readTime } from './tampered.js';

/** An entry of the chain, made ready to be checked. */
interface Entry {
  readonly seq: number;
  readonly link: string;
  /** What breaks are told of it. */
  readonly told: Told;
  /** What its link should be behind this one; null where it cannot be read. */
  readonly linkAfter: (previous: string) => string | null;
  /** null where it tells nothing of when the session went on. */
  readonly at: number | null;
  readonly counts: 'exchange' | 'begun' | 'note';
  /** Entries before it that nobody knows why they are gone, where it is a note on a removal. */
  readonly lost: number;
  readonly isDisturbed: boolean;
}

/** The breaks in order, found while going on; none for a sound session. */
export function* verifyChain(
  rows: ChainRows,
  session: string,
  options: VerifyOptions = {},
): IterableIterator<ChainBreak> {
  const start = rows.snapshot(() => startOf(rows, session));
  if (start === null) return;
  const { row, last, created } = start;
  // To where the session ended at the beginning, although it may be growing meanwhile.
  const found = entries(rows, session, row.id, placeBefore(start), created?.seq ?? 0, last);
  yield* through(
    found,
    checkEntries(start, () => rows.removed(row.id), options),
  );
}

/**
 * Takes the entries of a chain in order. The entry after a gap cannot be checked, because what its link is made of is
 * gone. `removedNow` is asked where something seems to have been removed meanwhile.
 */
function checkEntries(
  start: Start,
  removedNow: () => Removed | null,
  { onLink }: VerifyOptions,
): Stage<Entry, ChainBreak> {
  const { row, last, created, strays } = start;
  const earlier = created?.created.earlier;
  const gaps = createGaps(start.removed, removedNow);
  const seen = { exchange: 0, begun: 0, note: 0 };
  let lastAt = Math.max(created?.created.startedAt ?? 0, earlier?.lastAt ?? 0, start.removed?.lastAt ?? 0);
  let previous: readonly string[] = [earlier?.previous ?? ''];
  let seq = placeBefore(start);
  let isBroken = false;
  const broken = (kind: ChainBreak['kind'], place: number, told: Told = NONE, missing = 0): ChainBreak => {
    isBroken = true;
    return { kind, seq: place, ...told, missing };
  };
  const opening = start.isOfSession ? [] : [broken('beginning', 0)];

  return {
    *take(entry) {
      if (opening.length > 0) yield* opening.splice(0);
      const { told, link } = entry;
      if (entry.seq <= seq || !Number.isInteger(entry.seq)) {
        yield broken('added', entry.seq, told);
        return;
      }
      const gap = entry.seq === seq + 1 ? null : gaps.linkBefore(seq + 1, entry.seq);
      const isGone = entry.seq !== seq + 1 && gap === null;
      const links = (gap === null ? previous : [gap]).map(entry.linkAfter);
      if (isGone) yield broken('missing', entry.seq, told, entry.seq - seq - 1);
      if (isGone ? links.includes(null) : !links.includes(link)) yield broken('changed', entry.seq, told);
      else onLink?.({ seq: entry.seq, link: hexOf(link), exchange: told.exchange });
      if (entry.isDisturbed) yield broken('disturbed', entry.seq, told);
      if (entry.lost > 0) yield broken('missing', entry.seq, told, entry.lost);
      // Where only its link was changed, the next entry fits what it should be.
      previous = [link, ...links.filter((one) => one !== null && one !== link)] as string[];
      seen[entry.counts] += 1;
      if (entry.at !== null) lastAt = Math.max(lastAt, entry.at);
      seq = entry.seq;
    },
    *close() {
      yield* opening.splice(0);
      for (const { seq: place, exchange, kind } of strays) {
        const told = { exchange, ...(kind === null ? {} : { note: kind }) };
        yield broken('added', typeof place === 'number' ? place : 0, told);
      }
      if (seq < last) yield broken('cut', last, NONE, last - seq);
      else if (!isBroken && !sessionFits(row, seen, previous, lastAt) && !gaps.grew())
        yield broken('session', 0);
    },
  };
}

/** What a break tells of the entry that it is about. */
type Told = Pick<ChainBreak, 'exchange' | 'note'>;
const NONE: Told = { exchange: null };

/**
 * The breaks of one exchange: its link, and that of the entry after it. The rest of the session is not looked at, and
 * may be broken.
 */
export function verifyLink(rows: ChainRows, exchangeId: string): ChainBreak[] {
  const row = rows.find(exchangeId);
  const session = row === undefined ? null : rows.nameOf(row.session);
  if (row === undefined || session === null) return [];
  const { session: id, seq, link } = row;
  const { seq: createdAt = 0, created } = rows.created(id) ?? {};
  const [own, next] = entries(rows, session, id, seq - 1, createdAt);
  const { earlier } = created ?? {};
  const previous = earlier?.first === seq ? earlier.previous : rows.linkAt(id, seq - 1);
  const about = { seq, exchange: exchangeId, missing: 0 };
  if (own === undefined || own.link !== link || previous === null)
    return [{ ...about, kind: 'missing', missing: 1 }];
  if (own.linkAfter(previous) !== link) return [{ ...about, kind: 'changed' }];
  if (next === undefined) return rows.session(session)?.head === link ? [] : [{ ...about, kind: 'changed' }];
  if (next.seq !== seq + 1 || next.linkAfter(link) === next.link) return [];
  return [{ seq: next.seq, ...next.told, missing: 0, kind: 'changed' }];
}

/** Behind it stand the entries that were kept: an earlier version had removed others. */
const placeBefore = ({ created }: Start): number => (created?.created.earlier?.first ?? 1) - 1;

interface Start {
  readonly row: SessionRow;
  readonly last: number;
  readonly created: { readonly seq: number; readonly created: Created } | null;
  readonly removed: Removed | null;
  readonly strays: readonly Stray[];
  readonly isOfSession: boolean;
}

function startOf(rows: ChainRows, session: string): Start | null {
  const row = rows.session(session);
  if (row === undefined) return null;
  const last = numberOf(row.last);
  const created = rows.created(row.id);
  const { session: name, store, startedAt, earlier } = created?.created ?? {};
  const isFirst = earlier !== undefined || created?.seq === 1;
  const isOfSession = isFirst && name === session && store === rows.storeId() && startedAt === row.started_at;
  return {
    ...{ row, last, created, removed: rows.removed(row.id) },
    ...{ strays: rows.strays(row.id, last), isOfSession },
  };
}

/** `links` are those that the last entry may have. */
function sessionFits(
  { head, exchanges, begun, last_at }: SessionRow,
  seen: Readonly<Record<Entry['counts'], number>>,
  links: readonly (string | null)[],
  lastAt: number,
): boolean {
  return (
    links.includes(String(head)) && exchanges === seen.exchange && begun === seen.begun && last_at === lastAt
  );
}

/** What was removed, as the newest note on it says. */
function createGaps(atStart: Removed | null, removedNow: () => Removed | null) {
  let removed = atStart;
  const find = (from: number, before: number) =>
    removed?.gaps.find(([first, to]) => first <= from && to === before - 1)?.[2] ?? null;
  return {
    /** The link of the last entry of a run that was removed, and that reaches from `from` to before `before`. */
    linkBefore: (from: number, before: number): string | null => {
      const found = find(from, before);
      if (found !== null) return found;
      removed = removedNow();
      return find(from, before);
    },
    /** Whether anything was removed since the start. */
    grew: (): boolean => {
      removed = removedNow();
      return removed?.through !== atStart?.through || removed?.exchanges !== atStart?.exchanges;
    },
  };
}

/** Exchanges, beginnings and notes in their common order; none behind the place `last`. */
function* entries(
  rows: ChainRows,
  session: string,
  id: number,
  after: number,
  createdAt: number,
  last?: number,
): IterableIterator<Entry> {
  const ofRow = (row: LinkedRow) => exchangeEntry(row, createdAt);
  const sources = [
    mapped(rows.exchanges(session, id, after), ofRow),
    mapped(rows.beginnings(session, id, after), ofRow),
    mapped(rows.notes(id, after), (row) => noteEntry(session, row)),
  ];
  const heads = sources.map((source) => source.next());
  for (;;) {
    let first = -1;
    for (const [i, { done, value }] of heads.entries())
      if (!done && !(first >= 0 && heads[first]?.value.seq <= value.seq)) first = i;
    const entry = heads[first]?.value;
    if (entry === undefined || (last !== undefined && !(entry.seq <= last))) return;
    yield entry;
    heads[first] = (sources[first] as IterableIterator<Entry>).next();
  }
}

function* mapped<T>(rows: Iterable<T>, entryOf: (row: T) => Entry): IterableIterator<Entry> {
  for (const row of rows) yield entryOf(row);
}

function exchangeEntry({ exchange, seq, link, isBegun, texts: read }: LinkedRow, createdAt: number): Entry {
  const content = readContent(read);
  const linked = seq < createdAt ? earlierLink : exchangeLink;
  return {
    seq,
    link,
    told: { exchange },
    linkAfter: (previous) => (content === null ? null : linked(previous, seq, content.texts, isBegun)),
    at: content?.at ?? null,
    counts: isBegun ? 'begun' : 'exchange',
    lost: 0,
    isDisturbed: false,
  };
}

/** null where a text that it is made of cannot be read any more. */
function readContent(read: () => RecordTexts) {
  try {
    const texts = read();
    const own = JSON.parse(texts.own) as unknown[];
    return { texts, at: readTime(arrivedAt({ at: readTime(own[0]), ahead: readTime(own[11]) })) };
  } catch {
    return null;
  }
}

const OF_THE_CHAIN: ReadonlySet<string> = new Set(CHAIN_NOTES);

function noteEntry(session: string, { seq, link, at, kind, settings }: NoteRow): Entry {
  const note = { session, at, kind: String(kind), settings: String(settings) };
  return {
    seq,
    link,
    told: { exchange: null, note: note.kind },
    linkAfter: (previous) => noteLink(previous, seq, note),
    at: OF_THE_CHAIN.has(note.kind) ? null : readTime(at),
    counts: 'note',
    lost: note.kind === 'removed' ? (readRemoved(readSettings(settings))?.lost ?? 0) : 0,
    isDisturbed: note.kind === 'disturbed',
  };
}
