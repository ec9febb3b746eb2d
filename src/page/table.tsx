/** A table that scrolls by itself where it is too wide. */
import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.js';

interface TableParts<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Title, what stands there, and the class of the cells; the first heads its row. */
  readonly columns: readonly (readonly [title: string, cell: (row: T) => ComponentChildren, look?: string])[];
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
