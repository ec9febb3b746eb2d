/** Verifies the chain of a session and reports where it is broken. */
import { arrivedAt } from '../exchange/index.js';
import { type ChainBreak, earlierLink, exchangeLink, hexOf, noteLink } from './chain.js';
import { type Beside, CHAIN_NOTES, type Removed, readBeside, readRemoved } from './chain-notes.js';
import type { ChainRows, ChainStart, LinkedRow, NoteRow, SessionRow } from './chain-rows.js';
import type { VerifyOptions } from './port.js';
import type { RecordTexts } from './record-codec.js';
import { nextOf, type Steps, wait } from './steps.js';
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
  /** Other chains that it names. */
  readonly beside: readonly Beside[];
}

/**
 * The breaks in order, found while going on, of one chain after the other; none for a sound session. The entry after a
 * gap cannot be checked, because what its link is made of is gone.
 */
export function* verifyChain(
  rows: ChainRows,
  session: string,
  options: VerifyOptions = {},
): Steps<ChainBreak> {
  const chains = yield* wait(rows.chainsOf(session));
  const named = new Map<string, Beside>();
  for (const chain of chains) yield* verifyOne(rows, session, chain, options, named);
  // One that is named may have begun after the first look.
  yield* verifyNamed(rows, yield* wait(rows.chainsOf(session)), named);
}

/** Each chain that another one names must be there, and must have gone that way. */
function* verifyNamed(
  rows: ChainRows,
  chains: readonly number[],
  named: ReadonlyMap<string, Beside>,
): Steps<ChainBreak> {
  for (const [store, entries, link] of named.values()) {
    let isThere = false;
    for (const chain of chains) {
      if (isThere || (yield* wait(rows.storeOf(chain))) !== store) continue;
      const found = yield* wait(rows.linkAt(chain, entries));
      const removed = found === null ? yield* wait(rows.removed(chain)) : null;
      isThere = found === link || (removed?.through ?? 0) >= entries;
    }
    if (!isThere) yield { kind: 'chain', seq: 0, exchange: null, missing: entries };
  }
}

function* verifyOne(
  rows: ChainRows,
  session: string,
  chain: number,
  { onLink }: VerifyOptions,
  named: Map<string, Beside>,
): Steps<ChainBreak> {
  const start = yield* wait(rows.start(chain));
  if (start === null) return;
  const { row, created, strays, removed } = start;
  const last = numberOf(row.last);
  const earlier = created?.created.earlier;
  const gaps = createGaps(rows, row.id, removed);
  const seen = { exchange: 0, begun: 0, note: 0 };
  // A file may be of times before 1970.
  const times = [created?.created.startedAt, earlier?.lastAt, removed?.lastAt];
  let lastAt = Math.max(...times.filter((at) => at !== undefined));
  let previous: readonly string[] = [earlier?.previous ?? ''];
  let seq = earlier === undefined ? 0 : earlier.first - 1;
  let isBroken = false;
  const broken = (kind: ChainBreak['kind'], place: number, told: Told = NONE, missing = 0): ChainBreak => {
    isBroken = true;
    return { kind, seq: place, ...told, missing };
  };
  const store = yield* wait(rows.storeOf(chain));
  if (!isOfSession(start, session, store)) yield broken('beginning', 0);
  const found = entries(rows, session, row.id, seq, created?.seq ?? 0);
  for (let next = yield* nextOf(found); next.done !== true; next = yield* nextOf(found)) {
    const entry = next.value;
    // Ends where the session ended at the beginning, although it may be growing meanwhile.
    if (!(entry.seq <= last)) break;
    const { told, link } = entry;
    if (entry.seq <= seq || !Number.isInteger(entry.seq)) {
      yield broken('added', entry.seq, told);
      continue;
    }
    const gap = entry.seq === seq + 1 ? null : yield* gaps.linkBefore(seq + 1, entry.seq);
    const isGone = entry.seq !== seq + 1 && gap === null;
    const links = (gap === null ? previous : [gap]).map(entry.linkAfter);
    if (isGone) yield broken('missing', entry.seq, told, entry.seq - seq - 1);
    if (isGone ? links.includes(null) : !links.includes(link)) yield broken('changed', entry.seq, told);
    else onLink?.({ store, seq: entry.seq, link: hexOf(link), exchange: told.exchange });
    // Of several names the one that reaches farthest says what the others say.
    for (const one of entry.beside) if (!((named.get(one[0])?.[1] ?? 0) >= one[1])) named.set(one[0], one);
    if (entry.isDisturbed) yield broken('disturbed', entry.seq, told);
    if (entry.lost > 0) yield broken('missing', entry.seq, told, entry.lost);
    // Where only its link was changed, the next entry fits what it should be.
    previous = [link, ...links.filter((one) => one !== null && one !== link)] as string[];
    seen[entry.counts] += 1;
    if (entry.at !== null) lastAt = Math.max(lastAt, entry.at);
    seq = entry.seq;
  }
  for (const { seq: place, exchange, kind } of strays) {
    const told = { exchange, ...(kind === null ? {} : { note: kind }) };
    yield broken('added', typeof place === 'number' ? place : 0, told);
  }
  if (seq < last) yield broken('cut', last, NONE, last - seq);
  else if (!isBroken && !sessionFits(row, seen, previous, lastAt) && !(yield* gaps.grew()))
    yield broken('session', 0);
}

/** What a break tells of the entry that it is about. */
type Told = Pick<ChainBreak, 'exchange' | 'note'>;
const NONE: Told = { exchange: null };

/**
 * The breaks of one exchange: its link, and that of the entry after it. The rest of the session is not looked at, and
 * may be broken.
 */
export function* verifyLink(rows: ChainRows, exchangeId: string): Steps<never, ChainBreak[]> {
  const row = yield* wait(rows.find(exchangeId));
  const session = row === undefined ? null : yield* wait(rows.nameOf(row.session));
  if (row === undefined || session === null) return [];
  const { session: id, seq, link, mark } = row;
  const { seq: createdAt = 0, created } = (yield* wait(rows.created(id))) ?? {};
  const found = entries(rows, session, id, seq - 1, createdAt, mark);
  const own = (yield* nextOf(found)).value as Entry | undefined;
  const next = own && ((yield* nextOf(found)).value as Entry | undefined);
  const { earlier } = created ?? {};
  const previous = earlier?.first === seq ? earlier.previous : yield* wait(rows.linkAt(id, seq - 1, mark));
  const about = { seq, exchange: exchangeId, missing: 0 };
  if (own === undefined || own.link !== link || previous === null)
    return [{ ...about, kind: 'missing', missing: 1 }];
  if (own.linkAfter(previous) !== link) return [{ ...about, kind: 'changed' }];
  if (next === undefined) {
    const start = yield* wait(rows.start(id));
    return start?.row.head === link ? [] : [{ ...about, kind: 'changed' }];
  }
  if (next.seq !== seq + 1 || next.linkAfter(link) === next.link) return [];
  return [{ seq: next.seq, ...next.told, missing: 0, kind: 'changed' }];
}

function isOfSession({ created, row }: ChainStart, session: string, store: string): boolean {
  if (created === null) return false;
  const { seq, created: said } = created;
  const isFirst = said.earlier !== undefined || seq === 1;
  return isFirst && said.session === session && said.store === store && said.startedAt === row.started_at;
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

/** What was removed, as the newest note on it says; read again where that seems to have happened meanwhile. */
function createGaps(rows: ChainRows, chain: number, atStart: Removed | null) {
  let removed = atStart;
  const find = (from: number, before: number) =>
    removed?.gaps.find(([first, to]) => first <= from && to === before - 1)?.[2] ?? null;
  return {
    /** The link of the last entry of a run that was removed, and that reaches from `from` to before `before`. */
    *linkBefore(from: number, before: number): Steps<never, string | null> {
      const found = find(from, before);
      if (found !== null) return found;
      removed = yield* wait(rows.removed(chain));
      return find(from, before);
    },
    /** Whether anything was removed since the start. */
    *grew(): Steps<never, boolean> {
      removed = yield* wait(rows.removed(chain));
      return removed?.through !== atStart?.through || removed?.exchanges !== atStart?.exchanges;
    },
  };
}

/** Exchanges, beginnings and notes in their common order. */
function* entries(
  rows: ChainRows,
  session: string,
  id: number,
  after: number,
  createdAt: number,
  mark?: number,
): Steps<Entry> {
  const ofRow = (row: LinkedRow) => exchangeEntry(row, createdAt);
  const sources = [
    mapped(rows.exchanges(session, id, after, mark), ofRow),
    mapped(rows.beginnings(session, id, after, mark), ofRow),
    mapped(rows.notes(id, after, mark), (row) => noteEntry(session, row)),
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
    beside: [],
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
  const names = note.kind === 'created' || note.kind === 'checkpoint';
  return {
    seq,
    link,
    told: { exchange: null, note: note.kind },
    linkAfter: (previous) => noteLink(previous, seq, note),
    at: OF_THE_CHAIN.has(note.kind) ? null : readTime(at),
    counts: 'note',
    lost: note.kind === 'removed' ? (readRemoved(readSettings(settings))?.lost ?? 0) : 0,
    isDisturbed: note.kind === 'disturbed',
    beside: names ? readBeside(readSettings(settings)) : [],
  };
}
