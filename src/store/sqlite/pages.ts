/** Goes along the entries of a file, a page at a time: nothing is held open between two pages. */
import { turnOf } from '../records.js';
import type { Chain } from '../rows/chains.js';
import type { Query, Row } from '../rows/database.js';
import { type EntriesOf, type Entry, type EntryPages, type EntryTable, SELECT } from '../rows/entries.js';
import { outcomeAtOnce } from '../steps.js';

/** Place and id of a row: others may stand at the same place, put there by somebody else. */
type Place = readonly [seq: number, id: number];

/** Rows of a page; with the largest bodies they are some ten MB. */
const PAGE = 64;
const FIRST: Place = [0, 0];
const LAST: Place = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

export function createPages(query: Query, entriesOf: EntriesOf) {
  const rowsOf = (text: string, ...values: readonly unknown[]) => query(text, values) as Row[];

  function createPage(table: EntryTable, chain: number, from: Place, isBack: boolean): () => Entry[] {
    const [than, order] = isBack ? ['<', 'seq DESC, id DESC'] : ['>', 'seq, id'];
    const text = `${SELECT[table]} WHERE chain = $1::int8 AND (seq, id) ${than} ($2::int8, $3::int8) ORDER BY ${order} LIMIT ${PAGE}`;
    let place: Place | null = from;
    return () => {
      if (place === null) return [];
      const rows = rowsOf(text, chain, ...place);
      const last = rows.at(-1);
      place = last === undefined || rows.length < PAGE ? null : [last[2] as number, last[3] as number];
      return outcomeAtOnce(entriesOf(table, rows));
    };
  }

  /** The place in a chain behind all that has a smaller turn, or in front of all that has not. */
  function placeAt(chain: number, turn: number, isBack: boolean): Place {
    const [where, order] = isBack ? ['>=', ''] : ['<', 'DESC'];
    const text = `SELECT seq, id FROM exchanges WHERE chain = $1::int8 AND turn ${where} $2::int8 ORDER BY turn ${order} LIMIT 1`;
    return (rowsOf(text, chain, turn)[0] as Place | undefined) ?? (isBack ? LAST : FIRST);
  }

  /** The place in each chain at which reading begins: behind an exchange, or else at the first or the last one. */
  function startsOf(chains: readonly Chain[], found: Entry | null, isBack: boolean): Place[] {
    if (found === null) return chains.map(() => (isBack ? LAST : FIRST));
    const own = chains.findIndex(({ id }) => id === found.chain);
    return chains.map(({ id, store }, i): Place => {
      if (i === own) return [found.seq, found.id];
      if (store === null) return FIRST;
      // At one turn, the entry of the earlier chain comes first.
      return found.turn === null ? LAST : placeAt(id, i < own ? found.turn + 1 : found.turn, isBack);
    });
  }

  const walk = (table: EntryTable, chain: number, from: number): (() => Entry[]) =>
    createPage(table, chain, [from - 1, Number.MAX_SAFE_INTEGER], false);
  const pages = (chains: readonly Chain[], from: Entry | null, isBack: boolean): (() => Entry[]) => {
    const found = startsOf(chains, from, isBack).map((start, i) =>
      createPage('exchanges', (chains[i] as Chain).id, start, isBack),
    );
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const all = inOrder(found.map(each), isBack);
    return () => Array.from({ length: PAGE }, () => all.next().value).filter((one) => one !== undefined);
  };
  return { walk, pages } satisfies EntryPages;
}

export function* each(nextPage: () => readonly Entry[]): IterableIterator<Entry> {
  for (let page = nextPage(); page.length > 0; page = nextPage()) yield* page;
}

/** The rows of several chains, each of them in order, as one sequence. */
function* inOrder(chains: readonly Iterator<Entry>[], isBack: boolean): IterableIterator<Entry> {
  const heads = chains.map((rows) => rows.next());
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const [a, b] = [turnOf(head.value.turn), turnOf(heads[first]?.value.turn ?? null)];
      if (first < 0 || (isBack ? a >= b : a < b)) first = i;
    }
    if (first < 0) return;
    yield heads[first]?.value as Entry;
    heads[first] = (chains[first] as Iterator<Entry>).next();
  }
}
