/** Goes through the list: row by row, and to its ends. */
import { signal } from '@preact/signals';
import { address, go } from '../address.js';
import { cursor, rows, showNewest } from '../state/calls.js';

export const wanted = signal<{ readonly index: number } | null>(null);

/** While no row is there yet, what keys do with rows waits for them, in the order of the keys. */
export function withRows(act: () => void): void {
  const list = rows.value;
  if (list.length() > 0) act();
  else void list.settled().then(() => list === rows.value && address.value.view === 'calls' && act());
}

/** Moves to the next older row, or back; at the first row it shows one of those that wait. */
export function move(by: 1 | -1): void {
  const list = rows.value;
  const at = cursor.value === null ? -1 : list.indexOf(cursor.value);
  if (at === 0 && by < 0 && list.waiting() > 0) {
    list.reveal(1);
    to(0);
  } else to(at < 0 ? 0 : Math.max(0, Math.min(list.length() - 1, at + by)));
}

export function toNewest(): void {
  showNewest();
  wanted.value = { index: 0 };
}

export function toOldest(): void {
  const list = rows.value;
  void list.toEnd().then(() => {
    if (rows.value === list && list.isWhole() && list.length() > 0)
      wanted.value = { index: list.length() - 1 };
  });
}

function to(index: number): void {
  const row = rows.value.at(index);
  wanted.value = { index };
  if (row === undefined) return;
  cursor.value = row.id;
  if (address.value.open !== null) go({ open: row.id }, true);
}
