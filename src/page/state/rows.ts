/**
 * A list of calls that may be longer than what is held in memory: the newest first, in blocks. Blocks far from what is
 * looked at are dropped, and fetched again when somebody scrolls to them.
 */
import type { ExchangeList, Summary } from '../../admin/index.js';

const BLOCK = 500;
/** Rows that are held. */
const MOST = 5_000;
/** So near to the end, more is fetched. */
const AHEAD = 200;
/** Of the newest, so many are looked through for what is told again; the gateway tells fewer again. */
const TOLD_AGAIN = 2_000;
/** Of a filter that fits little: pages that are searched before somebody has to ask for more. */
const SEARCHES = 20;

export type FetchPage = (before: string | undefined, limit: number) => Promise<ExchangeList>;

interface Block {
  count: number;
  /** Id of its oldest row. */
  last: string;
  /** null: dropped. */
  rows: Summary[] | null;
  isAsked: boolean;
}

export interface Rows {
  /** Those that are shown. */
  readonly length: () => number;
  /** New ones that wait to be shown. */
  readonly waiting: () => number;
  /** undefined: being fetched. */
  readonly at: (index: number) => Summary | undefined;
  readonly indexOf: (id: string) => number;
  /** Those that came last, in their order; `held`: they wait, so that nothing that is shown moves. Gives those that are new. */
  readonly add: (fresh: readonly Summary[], held: boolean) => readonly Summary[];
  /** Shows those that wait; only the oldest of them where a count is given. */
  readonly reveal: (count?: number) => void;
  /** Told what is looked at. */
  readonly see: (from: number, to: number) => void;
  /** Fetches the first page. */
  readonly begin: () => Promise<void>;
  /** Resolves once the first page is there and the search that goes on is over, whatever came of it. */
  readonly settled: () => Promise<void>;
  /** Fetches all the way to the oldest, and holds the end of it. */
  readonly toEnd: () => Promise<void>;
  readonly more: () => void;
  readonly newest: () => string | undefined;
  /** Nothing older is there. */
  readonly isWhole: () => boolean;
  readonly isSearching: () => boolean;
  readonly examined: () => number;
  /** How many of the newest the index did not know when it was asked last. */
  readonly behind: () => number;
  readonly setBehind: (count: number) => void;
  readonly held: () => number;
  readonly close: () => void;
}

/** Rows below which there is nothing. */
export function createEmptyRows(): Rows {
  const page = { exchanges: [], examined: 0, indexedUpTo: null, behind: null, next: null };
  const ignore = () => {};
  return createRows(async () => page, ignore, ignore);
}

export function createRows(
  fetchPage: FetchPage,
  onChange: () => void,
  onProblem: (error: unknown) => void,
): Rows {
  const blocks: Block[] = [];
  let total = 0;
  let waiting = 0;
  let next: string | null | undefined;
  let examined = 0;
  let behind = 0;
  let isSearching = false;
  /** The search that began last. */
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
  const place = (index: number): { block: Block; number: number; offset: number } | null => {
    let offset = index + waiting;
    for (const [number, block] of blocks.entries()) {
      if (offset < block.count) return { block, number, offset };
      offset -= block.count;
    }
    return null;
  };

  const push = (rows: Summary[]): void => {
    const last = rows.at(-1);
    if (last === undefined) return;
    blocks.push({ count: rows.length, last: last.id, rows, isAsked: false });
    total += rows.length;
  };
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
        push([...page.exchanges]);
        hasBegun();
        if (most > SEARCHES) trim(blocks.length - 1);
        if (total >= enough) break;
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
    const block = blocks[number];
    if (block === undefined || block.isAsked) return;
    block.isAsked = true;
    const rows: Summary[] = [];
    let before: string | null | undefined = blocks[number - 1]?.last;
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
    // Some may have been removed since.
    total -= block.count - rows.length;
    Object.assign(block, { rows, count: rows.length, isAsked: false });
    changed();
  };

  const heldRows = (): number => blocks.reduce((sum, { rows }) => sum + (rows?.length ?? 0), 0);
  /** The first block takes new rows, and is never dropped. */
  const trim = (seen: number): void => {
    let held = heldRows();
    const far = [...blocks.keys()].slice(1).sort((a, b) => Math.abs(b - seen) - Math.abs(a - seen));
    for (const number of far) {
      const block = blocks[number];
      if (held <= MOST || block === undefined || Math.abs(number - seen) <= 1) return;
      held -= block.rows?.length ?? 0;
      block.rows = null;
    }
  };

  const newestIds = (): ReadonlySet<string> => {
    const ids = new Set<string>();
    for (const { rows } of blocks) {
      for (const { id } of rows ?? []) ids.add(id);
      if (ids.size >= TOLD_AGAIN) break;
    }
    return ids;
  };

  const settled = () => begun.then(() => search.catch(() => {}));
  let seenBlock = 0;
  return {
    length: () => total - waiting,
    waiting: () => waiting,
    at: (index) => {
      const found = place(index);
      return found?.block.rows?.[found.offset];
    },
    indexOf: (id) => {
      let before = -waiting;
      for (const { rows, count } of blocks) {
        const offset = rows?.findIndex((row) => row.id === id) ?? -1;
        if (offset >= 0) return before + offset;
        before += count;
      }
      return -1;
    },
    add: (fresh, held) => {
      const [head] = blocks;
      const known = newestIds();
      const rows = fresh.filter(({ id }) => !known.has(id)).reverse();
      const last = rows.at(-1);
      if (last === undefined) return rows;
      if (head?.rows != null && head.count < BLOCK) {
        head.rows = [...rows, ...head.rows];
        head.count += rows.length;
      } else blocks.unshift({ count: rows.length, last: last.id, rows, isAsked: false });
      total += rows.length;
      waiting = held ? waiting + rows.length : 0;
      if (heldRows() > MOST) trim(place(0)?.number ?? seenBlock);
      return rows;
    },
    reveal: (count = waiting) => {
      waiting -= Math.min(count, waiting);
      changed();
    },
    see: (from, to) => {
      const first = place(from)?.number ?? blocks.length - 1;
      const last = place(to)?.number ?? blocks.length - 1;
      seenBlock = first;
      trim(first);
      if (hasFailed) return;
      for (let number = first; number <= last; number++)
        if (blocks[number]?.rows === null) void refetch(number);
      if (to + AHEAD >= total - waiting && total > 0) searchOn(total + 1).catch(fail);
    },
    begin: () => searchOn(1),
    settled,
    toEnd: async () => {
      while (isSearching) await settled();
      await searchOn(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).catch(fail);
    },
    more: () => {
      hasFailed = false;
      searchOn(total + 1).catch(fail);
    },
    newest: () => blocks[0]?.rows?.[0]?.id,
    isWhole: () => next === null,
    isSearching: () => isSearching,
    examined: () => examined,
    behind: () => behind,
    setBehind: (count) => {
      behind = count;
      changed();
    },
    held: heldRows,
    close: () => {
      isClosed = true;
    },
  };
}
