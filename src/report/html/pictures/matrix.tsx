/** Draws operations by outcome: what was exercised, and how it ended. */
import type { Report } from '../../model.js';
import { Picture } from '../parts.js';
import { counted, grouped } from '../text.js';

type Row = Report['coverage']['operations'][number];

const OUTCOMES = [
  ['success', 'success', 'fine'],
  ['refused', 'refused by rule', 'should'],
  ['clientError', 'other 4xx', 'should'],
  ['serverError', '5xx', 'must'],
  ['none', 'no answer', 'must'],
] as const;

const LEFT = 340;
const COLUMN = 88;
const ROW = 24;
const TOP = 34;
const GROUP = 30;
const WIDTH = LEFT + OUTCOMES.length * COLUMN;

export function Matrix({ operations }: { operations: readonly Row[] }) {
  const lines = linesOf(operations);
  const height = (lines.at(-1)?.y ?? TOP) + ROW + 4;
  const called = operations.filter(({ calls }) => calls > 0);
  return (
    <Picture
      id="matrix"
      title="Operations by outcome"
      description={`${called.length} of ${counted(operations.length, 'operation')} were called. Every number stands in the table of operations below.`}
      width={WIDTH}
      height={height}
    >
      {OUTCOMES.map(([key, label], column) => (
        <text key={key} class="axis middle" x={LEFT + (column + 0.5) * COLUMN} y={TOP - 14}>
          {label}
        </text>
      ))}
      {lines.map(({ y, group, row }) =>
        row === undefined ? (
          <text key={group} class="heading" x={0} y={y + ROW / 2 + 8}>
            {group}
          </text>
        ) : (
          <MatrixRow key={row.operation} row={row} y={y} />
        ),
      )}
    </Picture>
  );
}

function MatrixRow({ row, y }: { row: Row; y: number }) {
  return (
    <g>
      <line class="hair" x1={0} x2={WIDTH} y1={y + ROW} y2={y + ROW} />
      <text class={row.calls === 0 ? 'name faint' : 'name'} x={12} y={y + 16}>
        {row.operation}
      </text>
      {row.calls === 0 ? (
        <text class="axis" x={LEFT + 12} y={y + 16}>
          never called
        </text>
      ) : (
        OUTCOMES.map(([key, , tone], column) => (
          <Cell key={key} count={row.outcomes[key]} tone={tone} x={LEFT + column * COLUMN} y={y} />
        ))
      )}
    </g>
  );
}

/** The deeper the cell, the more calls; the number says how many. */
function Cell({ count, tone, x, y }: { count: number; tone: string; x: number; y: number }) {
  if (count === 0) return <circle class="dot" cx={x + COLUMN / 2} cy={y + ROW / 2} r={1.5} />;
  const depth = Math.min(4, 1 + Math.floor(Math.log10(count)));
  return (
    <>
      <rect class={`cell ${tone} d${depth}`} x={x + 4} y={y + 3} width={COLUMN - 8} height={ROW - 6} rx={4} />
      <text class="value middle" x={x + COLUMN / 2} y={y + 16}>
        {grouped(count)}
      </text>
    </>
  );
}

type Line = { readonly y: number; readonly group: string; readonly row?: Row };

function linesOf(operations: readonly Row[]): readonly Line[] {
  const lines: Line[] = [];
  let y = TOP;
  for (const group of [...new Set(operations.map((row) => row.group))]) {
    lines.push({ y, group });
    y += GROUP;
    for (const row of operations.filter((one) => one.group === group)) {
      lines.push({ y, group, row });
      y += ROW;
    }
  }
  return lines;
}
