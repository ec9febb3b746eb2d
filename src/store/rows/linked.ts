/** The rows of a chain as verifying it reads them. */
import { idOfNumber } from '../../exchange/index.js';
import { type ChainRows, type LinkedRow, type NoteRow, type Stray, soundTexts } from '../chain-rows.js';
import { after } from '../port.js';
import { outcome, type Steps, wait } from '../steps.js';
import { numberOf } from '../tampered.js';
import type { Chains } from './chains.js';
import { type Database, first } from './database.js';
import type { createEntries, Entry, EntryPages, EntryTable } from './entries.js';

const PAGE = 256;
/** The most rows at places that were never given that are told. */
const MOST_STRAYS = 64;

export function createChainRows(
  { query, atOneMoment, dialect }: Database,
  chains: Chains,
  { find }: Pick<ReturnType<typeof createEntries>, 'find'>,
  pages: EntryPages,
): ChainRows {
  const { order, noteKey } = dialect;
  /** Where entries behind a place can begin. */
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
    { id, chain, texts, certificateOf, turn, ...entry }: Entry,
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
    chainsOf: (session) => after(chains.of(session), (found) => found.map(({ id }) => id)),
    start: (id) =>
      atOneMoment(function* (now) {
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
    storeOf: (id) => after(outcome(chains.read(query, id)), (chain) => chain?.storeName ?? ''),
    find: (exchangeId) =>
      outcome(
        (function* () {
          const entry = yield* find(exchangeId);
          if (entry === undefined) return undefined;
          return linked((yield* wait(chains.nameOf(entry.chain))) ?? '', entry);
        })(),
      ),
    exchanges: walk('exchanges'),
    beginnings: walk('beginnings'),
    notes,
    linkAt: (id, place, mark) =>
      outcome(
        (function* () {
          const row = yield* first(query, mark === undefined ? LINK_AT : LINK_BEFORE, [id, mark ?? place]);
          if (row?.[0] === place) return String(row[1]);
          const removed = yield* wait(chains.removed(id));
          return removed?.gaps.find(([, to]) => to === place)?.[2] ?? null;
        })(),
      ),
  };
}
