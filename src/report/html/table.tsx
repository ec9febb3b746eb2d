/** A table by its columns. */
import type { ComponentChildren } from 'preact';
import { Wide } from './parts.js';

/** `head` names the row, `num` stands to the right; the others are classes of the cell. false: left out. */
export type Column<T> =
  | readonly [
      title: string,
      cell: (row: T, index: number) => ComponentChildren,
      kind?: 'head' | 'num' | 'day' | 'marks' | 'tpp',
    ]
  | false;

interface RowsParts<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowProps?: (
    row: T,
  ) => Readonly<Partial<Record<`data-${string}` | 'id' | 'title' | 'class', string | undefined>>>;
}

interface TableParts<T> extends RowsParts<T> {
  /** A table that may be wider than the screen scrolls, under this name. */
  readonly label?: string;
  readonly caption: string;
  /** Said only to those who hear the page: a heading shows the same. */
  readonly isCaptionHidden?: boolean;
  readonly look?: string;
}

export function Table<T>({ label, caption, isCaptionHidden = false, look, ...parts }: TableParts<T>) {
  const table = (
    <table class={look}>
      <caption class={isCaptionHidden ? 'hidden' : undefined}>{caption}</caption>
      <Headings columns={parts.columns} />
      <tbody>
        <Rows {...parts} />
      </tbody>
    </table>
  );
  return label === undefined ? table : <Wide label={label}>{table}</Wide>;
}

export function Headings<T>({ columns }: Pick<RowsParts<T>, 'columns'>) {
  return (
    <thead>
      <tr>
        {given(columns).map(([title, , kind]) => (
          <th key={title} scope="col" class={kind === 'num' ? kind : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function Rows<T>({ columns, rows, rowProps }: RowsParts<T>) {
  const cells = given(columns);
  return rows.map((row, i) => (
    <tr key={row} {...rowProps?.(row)}>
      {cells.map(([title, cell, kind]) =>
        kind === 'head' ? (
          <th key={title} scope="row">
            {cell(row, i)}
          </th>
        ) : (
          <td key={title} class={kind}>
            {cell(row, i)}
          </td>
        ),
      )}
    </tr>
  ));
}

const given = <T,>(columns: readonly Column<T>[]) => columns.filter((column) => column !== false);
