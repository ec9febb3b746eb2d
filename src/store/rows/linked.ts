/** The rows of a chain as verifying it reads them. */
import { idOfNumber } from '../../exchange/index.js';
import { type ErasedEntry, type Removed, readErased } from '../chain-notes.js';
import { type Awaitable, after } from '../port.js';
import type { RecordTexts } from '../record-codec.js';
import { outcome, type Steps, wait } from '../steps.js';
import { numberOf, readSettings } from '../tampered.js';
import type { Chain, Chains, FoundCreated } from './chains.js';
import { type Database, first } from './database.js';
import type { createEntries, Entry, EntryPages, EntryTable } from './entries.js';
import type { Keys } from './keys.js';

/** The row of an exchange, or of its beginning. */
export interface LinkedRow {
  /** Id of the exchange. */
  readonly exchange: string;
  readonly session: number;
  readonly seq: number;
  readonly link: string;
  readonly isBegun: boolean;
  /** By it, what is beside this row is found: its turn, where entries are ordered by turns. */
  readonly mark?: number;
  /** The order among entries of other chains; absent in a store with one chain a session. */
  readonly turn?: number | null;
  /** All that its link is made of, the certificate too; throws where it cannot be read. */
  readonly texts: () => RecordTexts;
}

export interface NoteRow {
  readonly seq: number;
  readonly turn?: number | null;
  readonly link: string;
  readonly at: number;
  readonly kind: unknown;
  readonly settings: unknown;
}

/** A row at a place that was never given. */
export interface Stray {
  readonly seq: unknown;
  /** null where it is a note. */
  readonly exchange: string | null;
  readonly kind: string | null;
}

/** The start for verifying a chain, at one moment. */
export interface ChainStart {
  readonly row: Chain;
  /** Its entries have turns, which do not go down; else none has. */
  readonly isOrdered: boolean;
  readonly created: FoundCreated | null;
  /** The newest one. */
  readonly removed: Removed | null;
  /** Before the first place and behind the last one. */
  readonly strays: readonly Stray[];
}

export interface Erasures {
  readonly ofChain: ReadonlyMap<string, Map<number, ErasedEntry>>;
  readonly keys: ReadonlyMap<string, Omit<ErasedEntry, 'digest'>>;
}

/** Texts whose certificate is there, too; throws where it cannot be read. */
function soundTexts(texts: RecordTexts, certificateOf: (reference: string) => unknown): RecordTexts {
  const { certificate } = JSON.parse(texts.shape.text) as { certificate: string };
  if (certificate !== 'absent' && certificate !== 'not-observed') certificateOf(certificate);
  return texts;
}

const PAGE = 256;
/** The most that are reported. */
const MOST_STRAYS = 64;

export function createChainRows(
  { query, atOneMoment, dialect }: Database,
  chains: Chains,
  { find }: Pick<ReturnType<typeof createEntries>, 'find'>,
  pages: EntryPages,
  keys: Keys,
) {
  const { order, noteKey } = dialect;
  /** The condition for entries after a place. */
  const behind = (after: number, mark?: number) => mark ?? (order === 'seq' ? after + 1 : 0);
  const NOTES = `SELECT seq, turn, hash, at, kind, settings, ${order}, ${noteKey} FROM notes
    WHERE chain = $1::int8 AND (${order}, ${noteKey}) > ($2::int8, $3::int8) ORDER BY ${order}, ${noteKey} LIMIT ${PAGE}`;
  const STRAYS = dialect.strays.map((where) => {
    const ofChain = `chain = $1::int8 AND ${where}`;
    return `SELECT seq, id, NULL::text FROM exchanges WHERE ${ofChain}
      UNION ALL SELECT seq, id, NULL FROM beginnings WHERE ${ofChain}
      UNION ALL SELECT seq, NULL, kind FROM notes WHERE ${ofChain} LIMIT ${MOST_STRAYS}`;
  });
  /** The entries at a place, or the newest in front of a mark. */
  const links = (where: string) =>
    ['exchanges', 'beginnings', 'notes']
      .map(
        (table) =>
          `SELECT * FROM (SELECT seq, hash, ${order} AS mark FROM ${table} WHERE chain = $1::int8 AND ${where}) AS ${table}_at`,
      )
      .join(' UNION ALL ');
  const LINK_AT = `${links('seq = $2::int8')} ORDER BY mark LIMIT 1`;
  const LINK_BEFORE = `${links(`${order} < $2::int8 ORDER BY ${order} DESC LIMIT 1`)} ORDER BY mark DESC LIMIT 1`;

  const linked = (
    session: string,
    { id, chain, texts, certificateOf, opened: _, turn, ...entry }: Entry,
  ): LinkedRow => ({
    ...entry,
    turn,
    exchange: idOfNumber(id),
    session: chain,
    ...(order === 'turn' ? { mark: turn as number } : {}),
    texts: () => soundTexts(texts(session), certificateOf),
  });

  const walk = (table: EntryTable) =>
    function* (session: string, chain: number, place: number, mark?: number): Steps<LinkedRow> {
      const nextPage = pages.walk(table, chain, behind(place, mark));
      for (let page = yield* wait(nextPage()); page.length > 0; page = yield* wait(nextPage()))
        for (const entry of page) if (mark !== undefined || entry.seq > place) yield linked(session, entry);
    };

  function* notes(chain: number, place: number, mark?: number): Steps<NoteRow> {
    let from: unknown[] = [behind(place, mark) - 1, Number.MAX_SAFE_INTEGER];
    for (;;) {
      const page = yield* wait(query(NOTES, [chain, ...from]));
      for (const [seq, turn, link, at, kind, settings] of page as [
        number,
        number | null,
        string,
        number,
        ...string[],
      ][])
        if (mark !== undefined || seq > place) yield { seq, turn, link, at, kind, settings };
      if (page.length < PAGE) return;
      from = (page.at(-1) ?? []).slice(-2);
    }
  }

  return {
    nameOf: chains.nameOf,
    created: chains.created,
    removed: chains.removed,
    /** The chains of a session, in the order in which they began. */
    chainsOf: (session: string): Awaitable<readonly number[]> =>
      after(chains.of(session), (found) => found.map(({ id }) => id)),
    /** The keys of contents that there are. */
    keysOf: (chain: number) => outcome(keys.ofChain(chain)),
    /** By chains, and what destroyed keys enciphered by these. */
    *erasures(session: string): Steps<never, Erasures> {
      const all = yield* wait(chains.of(session));
      const stores = new Map(all.map(({ id, storeName }) => [id, storeName]));
      const ofChain = new Map(all.map(({ storeName }) => [storeName, new Map<number, ErasedEntry>()]));
      const keys = new Map<string, Omit<ErasedEntry, 'digest'>>();
      for (const { chain, seq, settings } of yield* wait(chains.notes(all, ['erased']))) {
        const note = readErased(readSettings(settings));
        const by = { store: stores.get(chain) ?? '', seq };
        for (const [place, digest] of note?.entries ?? [])
          ofChain.get(note?.of ?? '')?.set(place, { ...by, digest });
        for (const key of note?.keys ?? []) keys.set(key, by);
      }
      return { ofChain, keys };
    },
    /** null where it is gone. */
    start: (id: number) =>
      atOneMoment(function* (now): Steps<never, ChainStart | null> {
        const row = yield* chains.read(now, id);
        if (row === undefined) return null;
        const strays: Stray[] = [];
        for (const select of STRAYS)
          for (const [seq, exchange, kind] of yield* wait(
            now(select, [id, numberOf(row.last), row.firstTurn]),
          ))
            strays.push({
              seq,
              exchange: exchange === null ? null : idOfNumber(exchange as number),
              kind: kind as string | null,
            });
        const created = yield* chains.readFirst(now, id);
        const removed = yield* chains.readNewest(now, id);
        return { row, isOrdered: order === 'turn' || row.store !== null, created, removed, strays };
      }),
    /** By what the chain names its store. */
    storeOf: (id: number) => after(outcome(chains.read(query, id)), (chain) => chain?.storeName ?? ''),
    /** The row of its end, else that of its beginning. */
    find: (exchangeId: string) =>
      outcome(
        (function* (): Steps<never, LinkedRow | undefined> {
          const entry = yield* find(exchangeId);
          if (entry === undefined) return undefined;
          return linked((yield* wait(chains.nameOf(entry.chain))) ?? '', entry);
        })(),
      ),
    /** In order, from behind a place; `mark` is that of the row behind it, where there is one. */
    exchanges: walk('exchanges'),
    beginnings: walk('beginnings'),
    notes,
    /** Link of the entry at a place, also where it was removed; null where nobody knows it. */
    linkAt: (id: number, place: number, mark?: number) =>
      outcome(
        (function* (): Steps<never, string | null> {
          const row = yield* first(query, mark === undefined ? LINK_AT : LINK_BEFORE, [id, mark ?? place]);
          if (row?.[0] === place) return String(row[1]);
          const removed = yield* wait(chains.removed(id));
          return removed?.gaps.find(([, to]) => to === place)?.[2] ?? null;
        })(),
      ),
  };
}

/** A chain goes by its row: in a store of several writers a session has one for each. */
export type ChainRows = ReturnType<typeof createChainRows>;
