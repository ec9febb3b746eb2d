/** The statistics that a bank publishes of its interface, in CSV: a row for each day and service. */
import { type CsvRow, type CsvSeparator, parseCsv } from '../files/index.js';
import { isDate, SandgateError } from '../spec/index.js';
import type { PublishedRow, Statistics } from './model.js';

export const MOST_STATISTICS_BYTES = 1_048_576;
const MOST_ROWS = 5_000;

type Column = 'day' | 'service' | 'availability' | 'errorRate' | 'averageMs';

/** Headings without spaces, signs and letter case. */
const HEADINGS: readonly (readonly [Column, RegExp])[] = [
  ['day', /^(date|day|datum|tag)$/],
  ['service', /^(service|dienst)$/],
  ['availability', /^(availability|uptime|verfügbarkeit)(percent|prozent)?$/],
  ['errorRate', /^(errorrate|fehlerquote|fehlerrate)(percent|prozent)?$/],
  ['averageMs', /^(average|avg|durchschnitt)?(responsetime|antwortzeit)?(inms|ms)?$/],
];
const VALUES = ['availability', 'errorRate', 'averageMs'] as const;

const SERVICES: Readonly<Record<string, PublishedRow['service']>> = {
  ais: 'AIS',
  aisp: 'AIS',
  pis: 'PIS',
  pisp: 'PIS',
  piis: 'CBPII',
  cbpii: 'CBPII',
  cof: 'CBPII',
};

/** @throws SandgateError that names the line */
export function readStatistics(bytes: Uint8Array, name: string): Statistics {
  const fail = (line: number, problem: string): never => {
    throw new SandgateError('report.statistics', { file: name, line, problem });
  };
  const [heading, ...lines] = rowsOf(decoded(bytes), fail);
  if (heading === undefined) return fail(1, 'a heading is expected');
  const columns = columnsOf(heading, fail);
  if (lines.length > MOST_ROWS) fail(MOST_ROWS + 2, `at most ${MOST_ROWS} rows are read`);
  const known = new Set<string>();
  const rows = lines.map(({ line, cells }): PublishedRow => {
    if (cells.length !== heading.cells.length)
      fail(line, `${heading.cells.length} cells are expected, as in the heading; there are ${cells.length}`);
    const cell = (column: Column): string => cells[columns.get(column) ?? -1]?.trim() ?? '';
    const number = (column: Column, most: number) =>
      numberIn(cell(column), most) ??
      fail(line, `${NAMES[column]} “${cell(column).slice(0, 40)}” is not read: ${FORM}`);
    const value = (column: Column, most: number) =>
      EMPTY.has(cell(column).toLowerCase()) ? null : number(column, most);
    const day =
      dayIn(cell('day')) ??
      fail(line, `the date “${cell('day').slice(0, 40)}” is neither YYYY-MM-DD nor DD.MM.YYYY`);
    const service =
      SERVICES[cell('service').toLowerCase()] ??
      fail(
        line,
        `the service “${cell('service').slice(0, 40)}” is none of ${Object.keys(SERVICES).join(', ')}`,
      );
    if (known.has(`${day} ${service}`)) fail(line, `${service} on ${day} stands there twice`);
    known.add(`${day} ${service}`);
    return {
      day,
      service,
      availability: value('availability', 100),
      errorRate: value('errorRate', 100),
      averageMs: value('averageMs', MOST_MS),
    };
  });
  return { name, rows };
}

/** Spreadsheets still write the code page of Windows. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const NAMES: Readonly<Record<Column, string>> = {
  day: 'the date',
  service: 'the service',
  availability: 'the availability',
  errorRate: 'the error rate',
  averageMs: 'the average',
};
const EMPTY: ReadonlySet<string> = new Set(['', '-', 'n/a']);
const MOST_MS = 86_400_000;
const FORM =
  'a number such as 99.95 or 99,95 is expected, without a separator of thousands, and of per cent at most 100';

/** One point or comma is that of the decimals. Of three digits behind it nobody knows, where the number may be large. */
function numberIn(text: string, most: number): number | null {
  const [, whole, decimals = ''] = /^(\d{1,8})(?:[.,](\d{1,6}))?\s*(?:%|ms)?$/i.exec(text) ?? [];
  if (whole === undefined || (decimals.length === 3 && most > 100)) return null;
  const value = Number(decimals === '' ? whole : `${whole}.${decimals}`);
  return value <= most ? value : null;
}

function dayIn(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? [];
  const date = day === undefined ? text : `${year}-${month}-${day}`;
  return isDate(date) ? date : null;
}

type Fail = (line: number, problem: string) => never;

const plainly = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-zäöüß]/g, '');

function columnsOf({ line, cells }: CsvRow, fail: Fail): ReadonlyMap<Column, number> {
  const columns = new Map<Column, number>();
  for (const [i, cell] of cells.entries()) {
    const [column] = HEADINGS.find(([, words]) => words.test(plainly(cell))) ?? [];
    if (column === undefined || plainly(cell) === '') continue;
    if (columns.has(column)) fail(line, `two columns tell ${NAMES[column]}`);
    columns.set(column, i);
  }
  for (const column of ['day', 'service'] as const)
    if (!columns.has(column)) fail(line, `no column tells ${NAMES[column]}`);
  if (!VALUES.some((column) => columns.has(column)))
    fail(line, 'no column tells the availability, the error rate or the average');
  return columns;
}

/** They are parted by the sign that the heading has: semicolon, tab or comma. */
function rowsOf(text: string, fail: Fail): readonly CsvRow[] {
  const heading = text.split('\n', 1)[0] ?? '';
  const separator = ([';', '\t'] satisfies CsvSeparator[]).find((sign) => heading.includes(sign));
  const rows = parseCsv(text, separator);
  if ('problem' in rows) return fail(rows.line, rows.problem);
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}
