/** Fits the blocks of a page into its height: rows and lines are left out, from the end, until all of it fits. */
import { type Block, type Cell, styleOf, type Table, type Text } from './blocks.js';
import { createLetters, cutLines, type Measure, replacedNote, type Weight, wrap } from './letters.js';

/** A4 in points, and its margins. */
export const PAPER = { width: 595.28, height: 841.89, left: 51, right: 51, top: 48, bottom: 52 } as const;
export const INNER_WIDTH = PAPER.width - PAPER.left - PAPER.right;
const INNER_HEIGHT = PAPER.height - PAPER.top - PAPER.bottom;

/** Sizes of what is no running text. */
export const FINE = {
  cell: { size: 8.8, leading: 11.4, pad: 2.1, most: 3 },
  /** For a page that has more rows than it can hold otherwise. */
  dense: { size: 7.6, leading: 9, pad: 1, most: 2 },
  cellGap: 8,
  head: { size: 8, leading: 10.4 },
  label: { size: 8, leading: 10.6 },
  value: { size: 9.5, leading: 12.4, most: 4 },
  number: { size: 19, leading: 21 },
  bars: { height: 26, after: 6 },
  box: 7,
  boxed: { pad: 8, before: 7 },
  signatures: { before: 20, height: 14 },
  columnGap: 24,
} as const;

/** A text as it stands on the page: lines from the top, each `leading` below the one before. */
export interface SetText {
  readonly lines: readonly string[];
  readonly size: number;
  readonly leading: number;
  readonly weight: Weight;
}

export interface SetRow {
  readonly cells: readonly { readonly cell: Cell; readonly set: SetText }[];
  /** Above and below the texts. */
  readonly pad: number;
  readonly height: number;
}

interface SetPair {
  readonly label: SetText;
  readonly value: SetText;
}

export type SetBlock = { readonly height: number } & (
  | { readonly kind: 'text'; readonly block: Text; readonly before: number; readonly set: SetText }
  | {
      readonly kind: 'table';
      readonly block: Table;
      readonly head: SetRow;
      readonly rows: readonly SetRow[];
      readonly more: SetText | null;
    }
  | { readonly kind: 'pairs'; readonly columns: readonly (readonly SetPair[])[] }
  | {
      readonly kind: 'numbers';
      readonly items: readonly {
        readonly value: SetText;
        readonly label: SetText;
        readonly tone: Text['tone'];
      }[];
    }
  | { readonly kind: 'bars'; readonly block: Extract<Block, { kind: 'bars' }> }
  | { readonly kind: 'signatures'; readonly labels: readonly SetText[] }
);

type Letters = ReturnType<typeof createLetters>;

export const heightOf = ({ lines, leading }: SetText): number => lines.length * leading;

/** The blocks of one page, measured, with what was left out of them so that they fit. */
export function layPage(blocks: readonly Block[], measure: Measure): SetBlock[] {
  const letters = createLetters(measure);
  const setter = createSetter(measure, letters);
  const bends = blocks.map((block, i) => createBend(block, setter, i === 0));
  const note = replacedNote(letters.replaced);
  if (note !== null)
    bends.push(createBend({ kind: 'text', text: note, style: 'small', tone: 'quiet' }, setter));
  const height = () => bends.reduce((sum, { now }) => sum + now().height, 0);
  for (const isHard of [false, true])
    while (height() > INNER_HEIGHT) {
      const [longest] = bends
        .filter(({ room }) => room(isHard) > 0)
        .sort((a, b) => b.room(isHard) - a.room(isHard));
      if (longest === undefined) break;
      longest.shrink();
    }
  return bends.map(({ now }) => now());
}

/** A block that can be made shorter. `room`: how much could still be left out of it, in points; `isHard`: even of what it should keep. */
interface Bend {
  readonly now: () => SetBlock;
  readonly room: (isHard: boolean) => number;
  readonly shrink: () => void;
}

type Setter = ReturnType<typeof createSetter>;

function createSetter(measure: Measure, { clean }: Letters) {
  return (
    text: string,
    width: number,
    style: Omit<SetText, 'lines'>,
    most = Number.POSITIVE_INFINITY,
  ): SetText => {
    const widthOf = (part: string) => measure.width(part, style.size, style.weight);
    const lines = wrap(clean(text), width, widthOf);
    return { ...style, lines: cutLines(lines, most, width, widthOf) };
  };
}

const fixed = (set: SetBlock): Bend => ({ now: () => set, room: () => 0, shrink: () => undefined });

/** Above the first block of a page there is the margin alone. */
function createBend(block: Block, set: Setter, isFirst = false): Bend {
  switch (block.kind) {
    case 'text':
      return bendText(block, set, isFirst);
    case 'table':
      return bendTable(block, set);
    case 'pairs':
      return fixed(setPairs(block, set));
    case 'numbers':
      return fixed(setNumbers(block, set));
    case 'bars':
      return fixed({ kind: 'bars', block, height: FINE.bars.height + FINE.bars.after });
    case 'signatures': {
      const width = columnWidth(block.labels.length);
      const labels = block.labels.map((label) => set(label, width, { ...FINE.label, weight: 'regular' }, 1));
      return fixed({ kind: 'signatures', labels, height: FINE.signatures.before + FINE.signatures.height });
    }
  }
}

export const columnWidth = (columns: number): number =>
  (INNER_WIDTH - FINE.columnGap * (columns - 1)) / columns;

const LEAST_LINES = 2;

function bendText(block: Text, set: Setter, isFirst: boolean): Bend {
  const style = styleOf(block.style);
  const before = isFirst ? 0 : style.before;
  const pad = block.boxed ? FINE.boxed.pad : 0;
  const outer = before + style.after + (block.boxed ? 2 * pad + FINE.boxed.before : 0);
  const at = (size: number, most?: number): SetText =>
    set(
      block.text,
      INNER_WIDTH - 2 * pad,
      { size, leading: size * style.leading, weight: style.weight },
      most,
    );
  const sizes = [style.size, ...(style.smaller?.sizes ?? [])];
  const size =
    sizes.find((one) => at(one).lines.length <= (style.smaller?.roomy ?? 0)) ?? sizes.at(-1) ?? style.size;
  let now = at(size);
  const least = block.least ?? LEAST_LINES;
  return {
    now: () => ({ kind: 'text', block, before, set: now, height: heightOf(now) + outer }),
    room: (isHard) => Math.max(0, (now.lines.length - (isHard ? 1 : least)) * now.leading) / TEXT_LAST,
    shrink: () => {
      now = at(size, now.lines.length - 1);
    },
  };
}

/** Rows are left out before lines are: the report that is attached has them as they are. */
const TEXT_LAST = 1_000;

/** Rows are set denser before any of them is left out. */
function bendTable(block: Table, set: Setter): Bend {
  const { columns, rows, least = 1, of = rows.length } = block;
  const row = (cells: readonly Cell[], style: RowStyle): SetRow => {
    const made = columns.map((_, i) => {
      const cell = cells[i] ?? { text: '' };
      const width = widthOfColumn(columns, i) - (cell.box ? FINE.box + 4 : 0);
      const { size, leading } = style;
      const most = columns[i]?.isWhole ? MOST_WHOLE : style.most;
      return { cell, set: set(cell.text, width, { size, leading, weight: 'regular' }, most) };
    });
    const { pad } = style;
    return { cells: made, pad, height: Math.max(...made.map((one) => heightOf(one.set))) + 2 * pad };
  };
  const allIn = (style: RowStyle) => {
    const head = columns.map((column) => ({ text: column.head, tone: 'quiet' as const }));
    const all = rows.map((cells) => row(cells, style));
    return { head: row(head, { ...FINE.head, pad: style.pad, most: 2 }), all, height: sumOf(all) };
  };
  let made = allIn(FINE.cell);
  let dense: typeof made | null = allIn(FINE.dense);
  let shown = rows.length;
  const now = (): SetBlock => {
    const left = of - shown;
    const said = left === 0 ? null : `and ${left.toLocaleString('en-GB')} more, in the attached report`;
    const more = said === null ? null : set(said, INNER_WIDTH, { ...FINE.head, weight: 'regular' });
    const kept = made.all.slice(0, shown);
    const height = made.head.height + sumOf(kept) + (more === null ? 0 : heightOf(more) + 3) + 3;
    return { kind: 'table', block, head: made.head, rows: kept, more, height };
  };
  return {
    now,
    room: (isHard) =>
      (dense === null ? 0 : DENSER_FIRST + made.height - dense.height) +
      sumOf(made.all.slice(isHard ? 0 : least, shown)),
    shrink: () => {
      if (dense === null) shown--;
      else [made, dense] = [dense, null];
    },
  };
}

type RowStyle = Pick<SetText, 'size' | 'leading'> & { readonly pad: number; readonly most: number };

/** Lines of a cell that is not cut: others write texts of any length. */
const MOST_WHOLE = 12;

/** More than the height of any page. */
const DENSER_FIRST = 10_000;

const sumOf = (rows: readonly SetRow[]): number => rows.reduce((sum, { height }) => sum + height, 0);

/** Without the gap to the next column. */
export function widthOfColumn(columns: Table['columns'], i: number): number {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  return ((columns[i]?.share ?? 0) / shares) * INNER_WIDTH - FINE.cellGap;
}

function setPairs({ columns }: Extract<Block, { kind: 'pairs' }>, set: Setter): SetBlock {
  const width = columnWidth(columns.length);
  const value = { size: FINE.value.size, leading: FINE.value.leading, weight: 'regular' } as const;
  const made = columns.map((pairs) =>
    pairs.map(([label, text]) => ({
      label: set(label, width, { ...FINE.label, weight: 'regular' }, 1),
      value: set(text, width, value, FINE.value.most),
    })),
  );
  const heights = made.map((pairs) => pairs.reduce((sum, pair) => sum + heightOfPair(pair), 0));
  return { kind: 'pairs', columns: made, height: Math.max(...heights) };
}

export const heightOfPair = ({ label, value }: SetPair): number =>
  heightOf(label) + heightOf(value) + PAIR_GAP;
const PAIR_GAP = 3;

function setNumbers({ items }: Extract<Block, { kind: 'numbers' }>, set: Setter): SetBlock {
  const width = columnWidth(items.length);
  const made = items.map(({ value, label, tone }) => ({
    value: set(value, width, { ...FINE.number, weight: 'semibold' }, 1),
    label: set(label, width, { size: FINE.value.size, leading: FINE.value.leading, weight: 'regular' }, 2),
    tone,
  }));
  const height = Math.max(...made.map(({ value, label }) => heightOf(value) + heightOf(label))) + 12;
  return { kind: 'numbers', items: made, height };
}
