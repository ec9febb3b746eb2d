/** Prints a rehearsal for a terminal: a grid of signs by family, what went wrong, and the list of all cells. */
import { counted } from '../spec/index.js';
import { type Cell, FAMILIES } from './cells/index.js';
import { type CellResult, countsOf, type Rehearsal, VERDICTS, type Verdict } from './result.js';

export const SIGNS: Readonly<Record<Verdict, string>> = {
  handled: '·',
  'silently-wrong': '!',
  crashed: 'X',
  hung: 'H',
  stranded: '?',
  hammered: '#',
  'not-recovered': 'R',
  'not-run': '-',
};

const WIDE = 14;

export function renderText(
  { cells, seed, plan }: Rehearsal,
  expected: Readonly<Record<string, string>> = {},
): string {
  const lines = FAMILIES.flatMap((family) => {
    const own = cells.filter((cell) => cell.family === family);
    return own.length === 0
      ? []
      : [`${family.padEnd(WIDE)}${own.map(({ verdict }) => SIGNS[verdict]).join('')}`];
  });
  const wrong = cells.filter(({ verdict }) => verdict !== 'handled' && verdict !== 'not-run');
  return [
    ...lines,
    '',
    ...wrong.flatMap(linesOf),
    ...notRun(cells),
    sentenceOf(cells),
    ...surprises(cells, expected),
    `Plan ${plan}, seed ${seed}.`,
    '',
  ].join('\n');
}

function linesOf({ id, verdict, why, calls }: CellResult): string[] {
  const injected = calls.filter(({ injected }) => injected !== '');
  const named = (injected.length > 0 ? injected : calls).slice(0, 5).map((call) => call.id);
  return [
    `${SIGNS[verdict]} ${id}: ${verdict}`,
    `    ${why}`,
    ...(named.length > 0 ? [`    calls ${named.join(' ')}`] : []),
    '',
  ];
}

/** Cells that lack the same stand together. */
function notRun(cells: readonly CellResult[]): string[] {
  const byReason = new Map<string, number>();
  for (const { verdict, why } of cells)
    if (verdict === 'not-run') byReason.set(why, (byReason.get(why) ?? 0) + 1);
  return [...byReason].map(([why, count]) => `- ${counted(count, 'cell')} not run: ${why}`);
}

/** `147 cells: 143 handled, 2 silently-wrong, 2 not-run.` */
export function sentenceOf(cells: readonly CellResult[]): string {
  const counts = countsOf(cells);
  const told = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}`,
  );
  return `${counted(cells.length, 'cell')}: ${told.join(', ')}.`;
}

function surprises(cells: readonly CellResult[], expected: Readonly<Record<string, string>>): string[] {
  return cells.flatMap(({ id, verdict }) => {
    const wanted = expected[id];
    return wanted === undefined || wanted === verdict
      ? []
      : [`The plan expects ${wanted} of ${id}; it is ${verdict}.`];
  });
}

export function renderList(cells: readonly Cell[]): string {
  return cells
    .map(({ id, happens, seen, sound, after, storm, calls }) =>
      [
        id,
        `    ${happens}`,
        `    Seen in: ${seen}.`,
        `    Sound: ${sound}`,
        `    Under the weather: ${storm.join(', ')}. ${liftsOf(after)}`,
        `    Fair: ${calls} calls more than on a calm day for each action.`,
        '',
      ].join('\n'),
    )
    .join('\n');
}

export const liftsOf = (after: Cell['after']): string =>
  after.length === 0 ? 'Nothing follows.' : `Then the weather lifts, and there follows: ${after.join(', ')}.`;
