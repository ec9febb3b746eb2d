/**
 * Rows in blocks, the newest first, of which those are held that lie near to what is looked at: others are dropped, and
 * only counted.
 */
import type { Summary } from '../../admin/index.js';

interface Block {
  count: number;
  last: string;
  /** null: dropped. */
  rows: Summary[] | null;
  isAsked: boolean;
}

export const BLOCK = 500;
const MOST = 5_000;

type Place = { readonly number: number; readonly block: Block; readonly offset: number };

export function createBlocks() {
  const blocks: Block[] = [];
  let total = 0;
  const made = (rows: Summary[], last: string): Block => ({
    ...{ count: rows.length, last, rows, isAsked: false },
  });
  const held = (): number => blocks.reduce((sum, { rows }) => sum + (rows?.length ?? 0), 0);
  return {
    total: () => total,
    count: () => blocks.length,
    block: (number: number): Block | undefined => blocks[number],
    place: (index: number): Place | null => {
      let offset = index;
      for (const [number, block] of blocks.entries()) {
        if (offset < block.count) return { block, number, offset };
        offset -= block.count;
      }
      return null;
    },
    /** -1 where it is not held. */
    indexOf: (id: string): number => {
      let before = 0;
      for (const { rows, count } of blocks) {
        const offset = rows?.findIndex((row) => row.id === id) ?? -1;
        if (offset >= 0) return before + offset;
        before += count;
      }
      return -1;
    },
    /** Behind the oldest. */
    push: (rows: Summary[]): void => {
      const last = rows.at(-1);
      if (last === undefined) return;
      blocks.push(made(rows, last.id));
      total += rows.length;
    },
    /** In front of the newest. */
    unshift: (rows: Summary[]): void => {
      const [head] = blocks;
      const last = rows.at(-1);
      if (last === undefined) return;
      if (head?.rows != null && head.count < BLOCK) {
        head.rows = [...rows, ...head.rows];
        head.count += rows.length;
      } else blocks.unshift(made(rows, last.id));
      total += rows.length;
    },
    /** The rows of one that was dropped; some may have been removed since. */
    fill: (block: Block, rows: Summary[]): void => {
      total -= block.count - rows.length;
      Object.assign(block, { rows, count: rows.length, isAsked: false });
    },
    newestIds: (most: number): ReadonlySet<string> => {
      const ids = new Set<string>();
      for (const { rows } of blocks) {
        for (const { id } of rows ?? []) ids.add(id);
        if (ids.size >= most) break;
      }
      return ids;
    },
    held,
    /** Drops those far from block `seen` beyond the rows that are held. The first block takes new rows, and is never dropped. */
    trim: (seen: number): void => {
      let left = held();
      if (left <= MOST) return;
      const far = [...blocks.keys()].slice(1).sort((a, b) => Math.abs(b - seen) - Math.abs(a - seen));
      for (const number of far) {
        const block = blocks[number];
        if (left <= MOST || block === undefined || Math.abs(number - seen) <= 1) return;
        left -= block.rows?.length ?? 0;
        block.rows = null;
      }
    },
  };
}
