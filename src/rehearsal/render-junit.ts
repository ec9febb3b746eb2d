/** Renders a rehearsal as JUnit XML: each family a suite, each cell a test. */
import { xmlAttribute as xml } from '../report/index.js';
import { FAMILIES } from './cells/index.js';
import type { CellResult, Rehearsal } from './result.js';

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
const isFailed = ({ verdict }: CellResult): boolean => verdict !== 'handled' && verdict !== 'not-run';

function numbersOf(cells: readonly CellResult[]): string {
  const skipped = cells.filter(({ verdict }) => verdict === 'not-run').length;
  const time = seconds(cells.reduce((sum, { ms }) => sum + ms, 0));
  return `tests="${cells.length}" failures="${cells.filter(isFailed).length}" errors="0" skipped="${skipped}" time="${time}"`;
}

export function renderJunit({ cells }: Rehearsal): string {
  const suites = FAMILIES.map((family) => [family, cells.filter((cell) => cell.family === family)] as const);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="sandgate rehearse" ${numbersOf(cells)}>\n`,
    ...suites
      .filter(([, own]) => own.length > 0)
      .map(
        ([family, own]) =>
          `  <testsuite name="${family}" ${numbersOf(own)}>\n${own.map(caseOf).join('')}  </testsuite>\n`,
      ),
    '</testsuites>\n',
  ].join('');
}

function caseOf(cell: CellResult): string {
  const { id, family, verdict, why, ms, calls } = cell;
  const head = `    <testcase classname="${family}" name="${xml(id)}" time="${seconds(ms)}"`;
  if (verdict === 'handled') return `${head}/>\n`;
  const inside =
    verdict === 'not-run'
      ? `      <skipped message="${xml(why)}"/>\n`
      : `      <failure message="${xml(why)}" type="${verdict}">${xml(`${why}\nexchanges: ${calls.map((call) => call.id).join(' ')}`)}</failure>\n`;
  return `${head}>\n${inside}    </testcase>\n`;
}
