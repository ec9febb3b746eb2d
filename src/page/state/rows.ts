/**
 * A list of calls that may be longer than what is held in memory: the newest first. What was dropped far from what is
 * looked at is fetched again when somebody scrolls to it.
 */
import type { ExchangeList, Summary } from '../../admin/index.js';
import { BLOCK, createBlocks } from './blocks.js';

const AHEAD = 200;
/** The newest rows are searched for calls that come again; the gateway repeats fewer. */
const TOLD_AGAIN = 2_000;
/** A filter that fits little searches so many pages before somebody has to ask for more. */
const SEARCHES = 20;

export type FetchPage = (before: string | undefined, limit: number) => Promise<ExchangeList>;

export type Rows = ReturnType<typeof createRows>;

export function createEmptyRows(): Rows {
  const page = { exchanges: [], examined: 0, indexedUpTo: null, behind: null, next: null };
  const ignore = () => {};
  return createRows(async () => page, ignore, ignore);
}

export function createRows(fetchPage: FetchPage, onChange: () => void, onProblem: (error: unknown) => void) {
  const blocks = createBlocks();
  let waiting = 0;
  let next: string | null | undefined;
  let examined = 0;
  let behind = 0;
  let isSearching = false;
  let search: Promise<void> = Promise.resolve();
  let hasBegun = (): void => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  let isClosed = false;
  /** Until somebody asks for more, nothing is asked by itself. */
  let hasFailed = false;

  const changed = (): void => {
    if (!isClosed) onChange();
  };
  const place = (index: number) => blocks.place(index + waiting);

  const searchOn = async (enough: number, most = SEARCHES): Promise<void> => {
    if (isSearching || next === null) return;
    search = fetchOn(enough, most);
    await search;
  };
  const fetchOn = async (enough: number, most: number): Promise<void> => {
    isSearching = true;
    changed();
    try {
      for (let searches = 0; searches < most && next !== null && !isClosed; searches++) {
        const page: ExchangeList = await fetchPage(next, BLOCK);
        if (isClosed) return;
        examined += page.examined;
        next = page.next;
        behind = page.behind ?? 0;
        blocks.push([...page.exchanges]);
        hasBegun();
        if (most > SEARCHES) blocks.trim(blocks.count() - 1);
        if (blocks.total() >= enough) break;
        changed();
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      isSearching = false;
      changed();
    }
  };

  const fail = (error: unknown): void => {
    hasFailed = true;
    if (!isClosed) onProblem(error);
  };
  const refetch = async (number: number): Promise<void> => {
    const block = blocks.block(number);
    if (block === undefined || block.isAsked) return;
    block.isAsked = true;
    const rows: Summary[] = [];
    let before: string | null | undefined = blocks.block(number - 1)?.last;
    try {
      while (rows.length < block.count && before !== null) {
        const page: ExchangeList = await fetchPage(before, block.count - rows.length);
        rows.push(...page.exchanges);
        before = page.next;
      }
    } catch (error) {
      block.isAsked = false;
      fail(error);
      return;
    }
    blocks.fill(block, rows);
    changed();
  };

  const settled = () => begun.then(() => search.catch(() => {}));
  let seenBlock = 0;
  return {
    length: () => blocks.total() - waiting,
    waiting: () => waiting,
    /** undefined: being fetched. */
    at: (index: number): Summary | undefined => {
      const found = place(index);
      return found?.block.rows?.[found.offset];
    },
    indexOf: (id: string): number => {
      const index = blocks.indexOf(id);
      return index < 0 ? index : index - waiting;
    },
    /** The newest rows, in their order; those `held` wait, so that nothing shown moves. Gives the rows that are new. */
    add: (fresh: readonly Summary[], held: boolean): readonly Summary[] => {
      const known = blocks.newestIds(TOLD_AGAIN);
      const rows = fresh.filter(({ id }) => !known.has(id)).reverse();
      if (rows.length === 0) return rows;
      blocks.unshift(rows);
      waiting = held ? waiting + rows.length : 0;
      blocks.trim(place(0)?.number ?? seenBlock);
      return rows;
    },
    /** Shows the rows that wait, the oldest first. */
    reveal: (count = waiting): void => {
      waiting -= Math.min(count, waiting);
      changed();
    },
    see: (from: number, to: number): void => {
      const oldest = blocks.count() - 1;
      const first = place(from)?.number ?? oldest;
      const last = place(to)?.number ?? oldest;
      seenBlock = first;
      blocks.trim(first);
      if (hasFailed) return;
      for (let number = first; number <= last; number++)
        if (blocks.block(number)?.rows === null) void refetch(number);
      const total = blocks.total();
      if (to + AHEAD >= total - waiting && total > 0) searchOn(total + 1).catch(fail);
    },
    begin: () => searchOn(1),
    /** Resolves once the first page is there and the search is over, whatever came of it. */
    settled,
    /** Fetches all the way to the oldest row, and holds the end of the list. */
    toEnd: async (): Promise<void> => {
      while (isSearching) await settled();
      await searchOn(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).catch(fail);
    },
    more: (): void => {
      hasFailed = false;
      searchOn(blocks.total() + 1).catch(fail);
    },
    newest: () => blocks.block(0)?.rows?.[0]?.id,
    isWhole: () => next === null,
    isSearching: () => isSearching,
    examined: () => examined,
    /** How many of the newest calls the index did not know when it was asked last. */
    behind: () => behind,
    setBehind: (count: number): void => {
      behind = count;
      changed();
    },
    held: blocks.held,
    close: (): void => {
      isClosed = true;
    },
  };
}
