/** CSV as RFC 4180 has it, also parted by other signs: read strictly, with the line of each row, and written. */

export interface CsvRow {
  /** The line in which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly problem: string;
}

const SEPARATORS = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' } as const;
export type CsvSeparator = keyof typeof SEPARATORS;

/** Rows with the title row, empty lines left out; or the first place where the text is none. */
export function parseCsv(text: string, separator: CsvSeparator = ','): readonly CsvRow[] | CsvFault {
  const rows: CsvRow[] = [];
  const plainEnd = new RegExp(`${separator}|\\r?\\n`, 'g');
  let [at, line] = [text.startsWith('\uFEFF') ? 1 : 0, 1];
  while (at < text.length) {
    const begun = line;
    const cells: string[] = [];
    for (;;) {
      const quoted = text[at] === '"';
      const end = quoted ? closingQuote(text, at) : endOfPlain(text, at, plainEnd);
      if (end < 0) return { line: begun, problem: 'a quotation mark is opened and not closed' };
      const cell = text.slice(at, end);
      if (!quoted && cell.includes('"'))
        return {
          line,
          problem:
            'a quotation mark stands within a cell; put the whole cell in quotation marks, and double those in it',
        };
      cells.push(quoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
      if (quoted) line += cell.split('\n').length - 1;
      at = end;
      if (text[at] !== separator) break;
      at++;
    }
    if (at < text.length) {
      const ends = text.startsWith('\r\n', at) ? 2 : text[at] === '\n' ? 1 : 0;
      if (ends === 0)
        return {
          line,
          problem: `${SEPARATORS[separator]} or the end of the line is expected after a quotation mark`,
        };
      at += ends;
      line++;
    }
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begun, cells });
  }
  return rows;
}

/** Behind the quotation mark that closes the cell which begins at `at`; -1: none does. */
function closingQuote(text: string, at: number): number {
  let next = text.indexOf('"', at + 1);
  while (next >= 0 && text[next + 1] === '"') next = text.indexOf('"', next + 2);
  return next < 0 ? -1 : next + 1;
}

function endOfPlain(text: string, at: number, plainEnd: RegExp): number {
  plainEnd.lastIndex = at;
  return plainEnd.exec(text)?.index ?? text.length;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
