/** The entries of a chain in their order, each made ready to be checked. */
import { arrivedAt } from '../exchange/index.js';
import { type ChainBreak, erasedDigest, exchangeLink, noteLink } from './chain.js';
import {
  type Beside,
  CHAIN_NOTES,
  ERASABLE_NOTES,
  type ErasedEntries,
  type ErasedEntry,
  readBeside,
  readRemoved,
} from './chain-notes.js';
import type { RecordTexts } from './record-codec.js';
import type { ChainRows, LinkedRow, NoteRow } from './rows/linked.js';
import { nextOf, type Steps } from './steps.js';
import { readSettings, readTime } from './tampered.js';

/** The entry that a break is about. */
export type About = Pick<ChainBreak, 'exchange' | 'note'>;

export interface Entry {
  readonly seq: number;
  /** null where it has none. */
  readonly turn: number | null;
  readonly link: string;
  /** The entry, for a break that it shows. */
  readonly about: About;
  /** The link that should follow this entry; null if it cannot be read. */
  readonly linkAfter: (previous: string) => string | null;
  /** null where it tells nothing of when the session went on. */
  readonly at: number | null;
  readonly counts: 'exchange' | 'begun' | 'note';
  /** Entries before it that nobody knows why they are gone, where it is a note on a removal. */
  readonly lost: number;
  /** Up to where it says that all is gone, where it is such a note. */
  readonly through: number;
  readonly isDisturbed: boolean;
  /** Other chains that it names. */
  readonly beside: readonly Beside[];
  readonly erasedBy: ErasedEntry | undefined;
  /** The key under which its content is enciphered. */
  readonly key?: string | undefined;
}

/** Exchanges, beginnings and notes in their common order. */
export function* entriesOf(
  rows: ChainRows,
  session: string,
  id: number,
  after: number,
  erased: ErasedEntries,
  mark?: number,
): Steps<Entry> {
  const ofRow = (row: LinkedRow) => exchangeEntry(row, erased.get(row.seq));
  const sources = [
    mapped(rows.exchanges(session, id, after, mark), ofRow),
    mapped(rows.beginnings(session, id, after, mark), ofRow),
    mapped(rows.notes(id, after, mark), (row) => noteEntry(session, row, erased.get(row.seq))),
  ];
  const heads: (Entry | undefined)[] = [];
  for (const source of sources) heads.push((yield* nextOf(source)).value as Entry | undefined);
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries())
      if (head !== undefined && !(first >= 0 && (heads[first] as Entry).seq <= head.seq)) first = i;
    if (first < 0) return;
    yield heads[first] as Entry;
    heads[first] = (yield* nextOf(sources[first] as Steps<Entry>)).value as Entry | undefined;
  }
}

function* mapped<T>(rows: Iterator<T | Promise<unknown>>, entryOf: (row: T) => Entry): Steps<Entry> {
  for (let next = yield* nextOf(rows); next.done !== true; next = yield* nextOf(rows))
    yield entryOf(next.value);
}

/** The content may be still there: the note comes first. */
const linkAfter =
  (link: string, linkOver: (previous: string) => string, erasedBy: ErasedEntry | undefined) =>
  (previous: string): string =>
    erasedBy?.digest === erasedDigest(previous, link, linkOver) ? link : linkOver(previous);

function exchangeEntry(row: LinkedRow, erasedBy: ErasedEntry | undefined): Entry {
  const { exchange, seq, turn = null, link, isBegun, texts: read } = row;
  const content = readContent(read);
  const over = (previous: string) =>
    content === null ? '' : exchangeLink(previous, seq, content.texts, isBegun);
  return {
    seq,
    turn,
    link,
    about: { exchange },
    linkAfter: content === null ? () => null : linkAfter(link, over, erasedBy),
    erasedBy,
    key: content?.key,
    at: content?.at ?? null,
    counts: isBegun ? 'begun' : 'exchange',
    lost: 0,
    through: 0,
    isDisturbed: false,
    beside: [],
  };
}

/** null where a text that it is made of cannot be read any more. */
function readContent(read: () => RecordTexts) {
  try {
    const texts = read();
    const own = JSON.parse(texts.own) as unknown[];
    const key = own[15] === undefined || own[15] === 'erased' ? undefined : String(own[15]);
    return { texts, key, at: readTime(arrivedAt({ at: readTime(own[0]), ahead: readTime(own[11]) })) };
  } catch {
    return null;
  }
}

const OF_THE_CHAIN: ReadonlySet<string> = new Set(CHAIN_NOTES);

function noteEntry(
  session: string,
  { seq, turn = null, link, at, kind, settings }: NoteRow,
  erased: ErasedEntry | undefined,
): Entry {
  const erasedBy = ERASABLE_NOTES.has(kind) ? erased : undefined;
  const note = { session, at, kind: String(kind), settings: String(settings) };
  // A query for the notes of a kind does not find one whose kind is bytes, though it reads the same.
  const isText = typeof at === 'number' && typeof kind === 'string' && typeof settings === 'string';
  const removed = note.kind === 'removed' ? readRemoved(readSettings(settings)) : null;
  const names = note.kind === 'created' || note.kind === 'checkpoint';
  return {
    seq,
    turn,
    link,
    about: { exchange: null, note: note.kind },
    linkAfter: isText ? linkAfter(link, (previous) => noteLink(previous, seq, note), erasedBy) : () => null,
    erasedBy,
    at: OF_THE_CHAIN.has(note.kind) ? null : readTime(at),
    counts: 'note',
    lost: removed?.lost ?? 0,
    through: removed?.through ?? 0,
    isDisturbed: note.kind === 'disturbed',
    beside: names ? readBeside(readSettings(settings)) : [],
  };
}
