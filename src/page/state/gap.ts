/** While more calls come than the gateway tells: how many are left out, and the newest, which stand in no whole list. */
import { signal } from '@preact/signals';
import type { Summary } from '../../admin/index.js';
import { createEmptyRows, type Rows } from './rows.js';

interface Gap {
  /** More are left out; else all are told again, and the list has to be loaded anew. */
  readonly isOpen: boolean;
  readonly text: string;
  readonly count: number;
}

/** null: the list is whole. */
export const gap = signal<Gap | null>(null);

/** Rows above which others are put, and below which there is nothing. */
export function createNewest(seed: readonly Summary[]): Rows {
  const rows = createEmptyRows();
  void rows.begin();
  rows.add(seed, false);
  return rows;
}
