/** Goes through the list: row by row, and to its ends. */
import { signal } from '@preact/signals';
import { address, go } from '../address.js';
import { cursor, rows, showNewest } from '../state/calls.js';

/** The row that is to be in sight. */
export const wanted = signal<{ readonly index: number } | null>(null);

/** To the next older row, or back; where new ones wait behind the first, one of them is shown. */
export function move(by: 1 | -1): true {
  const list = rows.value;
  const at = cursor.value === null ? -1 : list.indexOf(cursor.value);
  if (at === 0 && by < 0 && list.waiting() > 0) {
    list.reveal(1);
    to(0);
  } else to(at < 0 ? 0 : Math.max(0, Math.min(list.length() - 1, at + by)));
  return true;
}

export function toNewest(): true {
  showNewest();
  wanted.value = { index: 0 };
  return true;
}

/** What lies between is fetched on the way. */
export function toOldest(): true {
  const list = rows.value;
  void list.toEnd().then(() => {
    if (rows.value === list && list.isWhole() && list.length() > 0)
      wanted.value = { index: list.length() - 1 };
  });
  return true;
}

function to(index: number): void {
  const row = rows.value.at(index);
  wanted.value = { index };
  if (row === undefined) return;
  cursor.value = row.id;
  if (address.value.open !== null) go({ open: row.id }, true);
}
