/** Verifies the chain of a session and reports where it is broken. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChainBreak, hexOf } from './chain.js';
import { type About, type Entry, entriesOf } from './chain-entries.js';
import type { Beside, ErasedEntries, Removed } from './chain-notes.js';
import type { VerifiedLink, VerifyOptions } from './port.js';
import type { Chain } from './rows/chains.js';
import type { ChainRows, ChainStart, Erasures } from './rows/linked.js';
import { nextOf, type Steps, wait } from './steps.js';
import { numberOf } from './tampered.js';

const NONE: About = { exchange: null };

/** `inTurns`: waits for others in between. */
type Options = VerifyOptions & { readonly inTurns?: true };
/** Entries that are looked at in one turn: some ms of work. */
const A_TURN = 500;

/**
 * The breaks in order, found while going on, of one chain after the other; none for a sound session. The entry after a
 * gap cannot be checked, because what its link is made of is gone.
 */
export function* verifyChain(rows: ChainRows, session: string, options: Options = {}): Steps<ChainBreak> {
  const chains = yield* wait(rows.chainsOf(session));
  const named = new Map<string, Beside>();
  const erasures = yield* rows.erasures(session);
  const stores = new Set<string>();
  for (const chain of chains) {
    const store = yield* wait(rows.storeOf(chain));
    // With two chains of one store, signatures of one would pass for the other's.
    if (stores.has(store)) yield { kind: 'beginning', seq: 0, ...NONE, missing: 0 };
    stores.add(store);
    yield* verifyOne(rows, session, chain, options, named, erasures);
  }
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
  { onLink, inTurns }: Options,
  named: Map<string, Beside>,
  erasures: Erasures,
): Steps<ChainBreak> {
  const start = yield* wait(rows.start(chain));
  if (start === null) return;
  const { row, created, strays, removed, isOrdered } = start;
  const last = numberOf(row.last);
  const keys = yield* wait(rows.keysOf(row.id));
  const gaps = createGaps(rows, row.id, removed);
  const seen = { exchange: 0, begun: 0, note: 0 };
  // A file may be of times before 1970.
  const times = [created?.created.startedAt, removed?.lastAt];
  let lastAt = Math.max(...times.filter((at) => at !== undefined));
  let previous: readonly string[] = [''];
  let seq = 0;
  let turn: number | null = isOrdered ? 0 : null;
  let isBroken = false;
  const broken = (kind: ChainBreak['kind'], place: number, about: About = NONE, missing = 0): ChainBreak => {
    isBroken = true;
    return { kind, seq: place, ...about, missing };
  };
  const store = yield* wait(rows.storeOf(chain));
  if (!isOfSession(start, session, store)) yield broken('beginning', 0);
  const found = entriesOf(rows, session, row.id, seq, erasedIn(erasures, store));
  for (let next = yield* nextOf(found); next.done !== true; next = yield* nextOf(found)) {
    const entry = next.value;
    if (inTurns && entry.seq % A_TURN === 0) yield nextTurn();
    // Ends where the session ended at the beginning, although it may be growing meanwhile.
    if (!(entry.seq <= last)) break;
    const { about, link } = entry;
    if (entry.seq <= seq || !Number.isInteger(entry.seq)) {
      yield broken('added', entry.seq, about);
      continue;
    }
    const gap = entry.seq === seq + 1 ? null : yield* gaps.linkBefore(seq + 1, entry.seq);
    const isGone = entry.seq !== seq + 1 && gap === null;
    const links = (gap === null ? previous : [gap]).map(entry.linkAfter);
    if (isGone) yield broken('missing', entry.seq, about, entry.seq - seq - 1);
    const newer = entry.counts === 'note' ? 0 : gaps.newerThan(entry.seq);
    if (newer > 0) yield broken('missing', entry.seq, about, newer);
    // A removal covers only entries before its note.
    if (entry.through >= entry.seq) yield broken('added', entry.seq, about);
    const isOther = isGone ? links.includes(null) : !links.includes(link);
    const isMoved = (turn === null) !== (entry.turn === null) || Number(entry.turn) < Number(turn);
    if (isOther || isMoved || !gaps.holds(entry.seq, link)) yield broken('changed', entry.seq, about);
    else
      onLink?.({
        store,
        seq: entry.seq,
        ...(entry.turn === null ? {} : { turn: entry.turn }),
        link: hexOf(link),
        exchange: about.exchange,
        isBegun: entry.counts === 'begun',
        note: about.note ?? null,
        ...erasedOf(entry, erasures),
      });
    // The name that reaches farthest says what the others say.
    for (const one of entry.beside) if (!((named.get(one[0])?.[1] ?? 0) >= one[1])) named.set(one[0], one);
    for (const [kind, count] of amissIn(entry, keys, erasures)) yield broken(kind, entry.seq, about, count);
    // If only its link was changed, the next entry fits what it should be.
    previous = [link, ...links.filter((one) => one !== null && one !== link)] as string[];
    seen[entry.counts] += 1;
    if (entry.at !== null) lastAt = Math.max(lastAt, entry.at);
    seq = entry.seq;
    if (!isMoved) turn = entry.turn;
  }
  for (const { seq: place, exchange, kind } of strays) {
    const about = { exchange, ...(kind === null ? {} : { note: kind }) };
    yield broken('added', typeof place === 'number' ? place : 0, about);
  }
  if (seq < last) yield broken('cut', last, NONE, last - seq);
  else if (!isBroken && !sessionFits(row, seen, previous, lastAt) && !(yield* gaps.grew()))
    yield broken('session', 0);
}

/**
 * The breaks of one exchange: its link, and that of the entry after it. The rest of the session is not looked at, and
 * may be broken.
 */
export function* verifyLink(rows: ChainRows, exchangeId: string): Steps<never, ChainBreak[]> {
  const row = yield* wait(rows.find(exchangeId));
  const session = row === undefined ? null : yield* wait(rows.nameOf(row.session));
  if (row === undefined || session === null) return [];
  const { session: id, seq, link, mark } = row;
  const erased = erasedIn(yield* rows.erasures(session), yield* wait(rows.storeOf(id)));
  const found = entriesOf(rows, session, id, seq - 1, erased, mark);
  const own = (yield* nextOf(found)).value as Entry | undefined;
  const next = own && ((yield* nextOf(found)).value as Entry | undefined);
  const previous = yield* wait(rows.linkAt(id, seq - 1, mark));
  const about = { seq, exchange: exchangeId, missing: 0 };
  if (own === undefined || own.link !== link || previous === null)
    return [{ ...about, kind: 'missing', missing: 1 }];
  if (own.linkAfter(previous) !== link) return [{ ...about, kind: 'changed' }];
  if (next === undefined) {
    const start = yield* wait(rows.start(id));
    return start?.row.head === link ? [] : [{ ...about, kind: 'changed' }];
  }
  if (next.seq !== seq + 1 || next.linkAfter(link) === next.link) return [];
  return [{ seq: next.seq, ...next.about, missing: 0, kind: 'changed' }];
}

const erasedIn = ({ ofChain }: Erasures, store: string): ErasedEntries => ofChain.get(store) ?? new Map();

/** Breaks that an entry itself shows, with how many entries are gone. */
function amissIn(
  { key, erasedBy, isDisturbed, lost }: Entry,
  keys: ReadonlySet<string>,
  erasures: Erasures,
): (readonly [ChainBreak['kind'], missing: number])[] {
  const isGone = key !== undefined && erasedBy === undefined && !keys.has(key) && !erasures.keys.has(key);
  return [
    ...(isGone ? ([['erased', 0]] as const) : []),
    ...(isDisturbed ? ([['disturbed', 0]] as const) : []),
    ...(lost > 0 ? ([['missing', lost]] as const) : []),
  ];
}

function erasedOf({ erasedBy, key }: Entry, { keys }: Erasures): Pick<VerifiedLink, 'erasedBy'> {
  const by = erasedBy ?? keys.get(key ?? '');
  return by === undefined ? {} : { erasedBy: { store: by.store, seq: by.seq } };
}

function isOfSession({ created, row }: ChainStart, session: string, store: string): boolean {
  if (created === null) return false;
  const { seq, created: said } = created;
  return seq === 1 && said.session === session && said.store === store && said.startedAt === row.started_at;
}

/** `links` are those that the last entry may have. */
function sessionFits(
  { head, exchanges, begun, last_at }: Chain,
  seen: Readonly<Record<Entry['counts'], number>>,
  links: readonly (string | null)[],
  lastAt: number,
): boolean {
  return (
    links.includes(String(head)) && exchanges === seen.exchange && begun === seen.begun && last_at === lastAt
  );
}

/**
 * What was removed, as the newest note on it says; read again where that seems to have happened meanwhile. Only the oldest
 * goes, the newest of it first: in front of what is gone nothing stays but notes, and what is still to go.
 */
function createGaps(rows: ChainRows, chain: number, atStart: Removed | null) {
  let removed = atStart;
  let [isOldest, passed] = [true, 0];
  const held = new Map(atStart?.gaps.flatMap(([from, , , before]) => (before ? [[from - 1, before]] : [])));
  const find = (from: number, before: number) => {
    const gap = isOldest && removed?.gaps.find(([first, to]) => first <= from && to === before - 1);
    if (!gap) return null;
    passed += before - from;
    return gap[2];
  };
  return {
    /** How many entries are gone in front of an exchange that should have gone before them. */
    newerThan: (seq: number): number => {
      if (removed === null || seq > removed.through) return 0;
      if (!removed.gaps.some(([from, to]) => from <= seq && seq <= to)) isOldest = false;
      const newer = passed;
      passed = 0;
      return newer;
    },
    /** False of a note whose link is not the one that it had when the entries behind it were removed. */
    holds: (seq: number, link: string): boolean => (held.get(seq) ?? link) === link,
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
