/** Plain-text tables: aligned columns, cut to the width of the terminal. */
import { oneLine } from './output.js';

/** A title; that of numbers stands to the right. */
export type Column = string | { readonly right: string };

const GAP = '  ';
/** No column is cut to less. */
const NARROWEST = 8;

const lengthOf = (text: string): number => [...text].length;

/** `width` in characters; absent in a pipe: nothing is cut then. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): string {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.right).toUpperCase());
  const all = [titles, ...rows.map((row) => row.map(oneLine))];
  const natural = columns.map((_, i) => Math.max(0, ...all.map((row) => lengthOf(row[i] ?? ''))));
  const widths = width === undefined ? natural : shrink(natural, width);
  return all
    .map((row) => {
      const cells = columns.map((column, i) =>
        pad(cut(row[i] ?? '', widths[i] ?? 0), widths[i] ?? 0, typeof column === 'string' ? 'left' : 'right'),
      );
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join('');
}

/** Takes from the widest column until all fit, or none can give more. */
function shrink(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over--;
  }
  return widths;
}

export const cut = (text: string, width: number): string =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, width - 1).join('')}…`;

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(width - lengthOf(text));
  return align === 'right' ? space + text : text + space;
}
