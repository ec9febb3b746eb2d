/** A table that scrolls by itself where it is too wide. */
import type { ComponentChildren } from 'preact';
import type { Asked } from './ask.js';
import { Scroll } from './scroll.js';
import { Part } from './view.js';

/** Title, what stands there, and the class of the cells; the first heads its row. */
export type Column<T> = readonly [title: string, cell: (row: T) => ComponentChildren, look?: string];

interface TableParts<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Said where there are no rows. */
  readonly nothing: string;
}

export function Table<T>({ label, rows, keyOf, columns, nothing }: TableParts<T>) {
  if (rows.length === 0) return <p class="soft">{nothing}</p>;
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(([title, , look]) => (
              <th key={title} scope="col" class={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([title, cell, look], i) =>
                i === 0 ? (
                  <th key={title} scope="row" class={look}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={look}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface AskedTableParts<T> extends Omit<TableParts<T>, 'rows'> {
  readonly asked: Asked<readonly T[]>;
  /** Which of them, and in which order; without it all, as they come. */
  readonly chosen?: (all: readonly T[]) => readonly T[];
}

/** The table of what was asked of the API, once it is there. */
export function AskedTable<T>({ asked, chosen = (all) => all, ...table }: AskedTableParts<T>) {
  return <Part asked={asked}>{(all) => <Table {...table} rows={chosen(all)} />}</Part>;
}
