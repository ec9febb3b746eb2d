/** Draws the measured blocks of a page, tagged in the order in which they are read. */
import { type Block, type Column, styleOf, type Tone } from './blocks.js';
import {
  columnWidth,
  FINE,
  heightOf,
  heightOfPair,
  INNER_WIDTH,
  PAPER,
  type SetBlock,
  type SetRow,
  type SetText,
  widthOfColumn,
} from './layout.js';

type Paper = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

const COLOURS: Readonly<Record<Tone, string>> = { plain: '#16212b', quiet: '#55626d', alarm: '#a3231c' };
const RULE = '#c3ccd3';
const GROUND = '#eef2f4';
const HATCH = '#9aa5ae';
const BAR = '#2f6f7e';
/** How far the baseline is below the top of a letter, of its size. */
const ASCENT = 0.78;

/** The published types lack it. */
interface HeadOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly scope: 'Column';
}
const OF_COLUMN: HeadOptions = { scope: 'Column' };

export function drawPage(paper: Paper, root: Element, blocks: readonly SetBlock[]): void {
  let y = PAPER.top;
  for (const block of blocks) {
    drawBlock(paper, root, block, y);
    y += block.height;
  }
}

/** In the margin, apart from what is read. */
export function drawFooter(paper: Paper, left: SetText, right: SetText, rightWidth: number): void {
  paper.markContent('Artifact', { type: 'Pagination' });
  const y = PAPER.height - PAPER.bottom + 18;
  drawLines(paper, left, PAPER.left, y, 'quiet');
  drawLines(paper, right, PAPER.width - PAPER.right - rightWidth, y, 'quiet');
  paper.endMarkedContent();
}

function drawBlock(paper: Paper, root: Element, set: SetBlock, y: number): void {
  switch (set.kind) {
    case 'text':
      drawText(paper, root, set, y);
      break;
    case 'table':
      drawTable(paper, root, set, y);
      break;
    case 'pairs':
      drawPairs(paper, root, set, y);
      break;
    case 'numbers':
      drawNumbers(paper, root, set, y);
      break;
    case 'bars':
      drawBars(paper, root, set.block, y);
      break;
    case 'signatures':
      drawSignatures(paper, root, set, y);
      break;
  }
}

type Of<K extends SetBlock['kind']> = Extract<SetBlock, { kind: K }>;

function drawText(paper: Paper, root: Element, { block, before, set }: Of<'text'>, y: number): void {
  const style = styleOf(block.style);
  const pad = block.boxed ? FINE.boxed.pad : 0;
  const top = y + before + (block.boxed ? FINE.boxed.before + pad : 0);
  if (block.boxed)
    artifact(paper, () =>
      paper.rect(PAPER.left, top - pad, INNER_WIDTH, heightOf(set) + 2 * pad).fill(GROUND),
    );
  tagged(paper, root, style.tag, () => drawLines(paper, set, PAPER.left + pad, top, block.tone));
  if (style.ruled) rule(paper, top + heightOf(set) + 1.5, COLOURS.plain, 0.8);
}

function drawTable(paper: Paper, root: Element, { block, head, rows, more }: Of<'table'>, y: number): void {
  const table = paper.struct('Table');
  root.add(table);
  let top = y;
  for (const [i, row] of [head, ...rows].entries()) {
    drawRow(paper, table, block.columns, row, top, i === 0);
    top += row.height;
    rule(paper, top, RULE, 0.5);
  }
  table.end();
  if (more !== null) tagged(paper, root, 'P', () => drawLines(paper, more, PAPER.left, top + 3, 'quiet'));
}

function drawRow(
  paper: Paper,
  table: Element,
  columns: readonly Column[],
  { cells, pad, height }: SetRow,
  y: number,
  isHead: boolean,
): void {
  const row = paper.struct('TR');
  table.add(row);
  let x: number = PAPER.left;
  for (const [i, { cell, set }] of cells.entries()) {
    const width = widthOfColumn(columns, i);
    if (cell.hatched) hatch(paper, x - FINE.cellGap / 2, y + 0.5, width + FINE.cellGap - 1, height - 1);
    if (cell.box)
      artifact(paper, () => {
        paper
          .lineWidth(0.7)
          .rect(x, y + pad + 1.6, FINE.box, FINE.box)
          .stroke(COLOURS.plain);
      });
    const indent = cell.box ? FINE.box + 4 : 0;
    const draw = () =>
      drawLines(paper, set, x + indent, y + pad, cell.tone, columns[i]?.align, width - indent);
    const element = isHead ? paper.struct('TH', OF_COLUMN) : paper.struct('TD');
    row.add(element);
    element.add(draw);
    element.end();
    x += width + FINE.cellGap;
  }
  row.end();
}

function drawPairs(paper: Paper, root: Element, { columns }: Of<'pairs'>, y: number): void {
  const list = paper.struct('L');
  root.add(list);
  for (const [i, pairs] of columns.entries()) {
    const x = PAPER.left + i * (columnWidth(columns.length) + FINE.columnGap);
    let top = y;
    for (const pair of pairs) {
      const { label, value } = pair;
      const item = paper.struct('LI');
      list.add(item);
      const at = top;
      tagged(paper, item, 'Lbl', () => drawLines(paper, label, x, at, 'quiet'));
      tagged(paper, item, 'LBody', () => drawLines(paper, value, x, at + heightOf(label)));
      item.end();
      top += heightOfPair(pair);
    }
  }
  list.end();
}

function drawNumbers(paper: Paper, root: Element, { items }: Of<'numbers'>, y: number): void {
  const width = columnWidth(items.length);
  const list = paper.struct('L');
  root.add(list);
  for (const [i, { value, label, tone }] of items.entries()) {
    const x = PAPER.left + i * (width + FINE.columnGap);
    artifact(paper, () => paper.rect(x, y + 3, width, 2).fill(COLOURS[tone ?? 'plain']));
    const item = paper.struct('LI');
    list.add(item);
    tagged(paper, item, 'LBody', () => {
      drawLines(paper, value, x, y + 7, tone);
      drawLines(paper, label, x, y + 7 + heightOf(value));
    });
    item.end();
  }
  list.end();
}

function drawBars(
  paper: Paper,
  root: Element,
  { bars, alt }: Extract<Block, { kind: 'bars' }>,
  y: number,
): void {
  const { height } = FINE.bars;
  const width = INNER_WIDTH / Math.max(bars.length, 1);
  const bbox = [PAPER.left, y, PAPER.left + INNER_WIDTH, y + height] as const;
  const figure = paper.struct('Figure', { alt, ...{ bbox: [...bbox] } });
  root.add(figure);
  figure.add(() => {
    for (const [i, bar] of bars.entries()) {
      const tall = Math.max(bar.height * height, bar.height > 0 ? 0.8 : 0);
      const x = PAPER.left + i * width;
      const gap = Math.min(1.2, width / 5);
      if (bar.marked)
        paper
          .lineWidth(0.7)
          .rect(x, y + height - tall, width - gap, tall)
          .stroke(COLOURS.alarm);
      else paper.rect(x, y + height - tall, width - gap, tall).fill(BAR);
    }
  });
  figure.end();
}

function drawSignatures(paper: Paper, root: Element, { labels }: Of<'signatures'>, y: number): void {
  const width = columnWidth(labels.length);
  const top = y + FINE.signatures.before;
  for (const [i, label] of labels.entries()) {
    const x = PAPER.left + i * (width + FINE.columnGap);
    artifact(paper, () => {
      paper
        .lineWidth(0.7)
        .moveTo(x, top)
        .lineTo(x + width, top)
        .stroke(COLOURS.plain);
    });
    tagged(paper, root, 'P', () => drawLines(paper, label, x, top + 3, 'quiet'));
  }
}

function tagged(paper: Paper, parent: Element, tag: string, draw: () => void): void {
  const element = paper.struct(tag);
  parent.add(element);
  element.add(draw);
  element.end();
}

function artifact(paper: Paper, draw: () => unknown): void {
  paper.markContent('Artifact', { type: 'Layout' });
  paper.save();
  draw();
  paper.restore();
  paper.endMarkedContent();
}

const rule = (paper: Paper, y: number, colour: string, weight: number): void =>
  artifact(paper, () =>
    paper
      .lineWidth(weight)
      .moveTo(PAPER.left, y)
      .lineTo(PAPER.left + INNER_WIDTH, y)
      .stroke(colour),
  );

/** Diagonal lines over a cell: what was not tested shows in black and white, too. */
function hatch(paper: Paper, x: number, y: number, width: number, height: number): void {
  artifact(paper, () => {
    paper.rect(x, y, width, height).clip();
    paper.lineWidth(0.5);
    for (let from = x - height; from < x + width; from += 3.5)
      paper.moveTo(from, y + height).lineTo(from + height, y);
    paper.stroke(HATCH);
  });
}

function drawLines(
  paper: Paper,
  { lines, size, leading, weight }: SetText,
  x: number,
  y: number,
  tone: Tone = 'plain',
  align: Column['align'] = 'left',
  width = 0,
): void {
  paper.font(weight).fontSize(size).fillColor(COLOURS[tone]);
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    const room = align === 'left' ? 0 : (width - paper.widthOfString(line)) / (align === 'centre' ? 2 : 1);
    const base = y + i * leading + (leading - size) / 2 + size * ASCENT;
    paper.text(line, x + Math.max(0, room), base, { lineBreak: false, baseline: 'alphabetic' });
  }
}
