/** CSV, read strictly and written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, parseCsv } from '../../src/files/index.js';

const rowsOf = (text: string) => {
  const rows = parseCsv(text);
  return Array.isArray(rows) ? rows.map(({ cells }) => cells) : rows;
};

describe('CSV', () => {
  it('is read as it was written, whatever stands in its cells', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('', '"', ',', '\n', '\r\n', 'a "b", c'));
    // An empty line says nothing, so a row of one empty cell is none.
    const row = fc.array(cell, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(rowsOf(rows.map(csvLine).join(''))).toEqual(rows);
      }),
    );
  });

  it.each([';', '\t'] as const)('is read where %j parts the cells, and commas do not', (separator) => {
    expect(parseCsv(`a,b${separator}"c""${separator}d"\n1,5${separator}\n`, separator)).toEqual([
      { line: 1, cells: ['a,b', `c"${separator}d`] },
      { line: 2, cells: ['1,5', ''] },
    ]);
    const problem = expect.stringContaining(`a ${separator === ';' ? 'semicolon' : 'tab'} or the end`);
    expect(parseCsv('"a",b', separator)).toEqual({ line: 1, problem });
  });

  it('never takes for ever or throws, whatever the text', () => {
    const unit = fc.constantFrom('"', ',', '\n', '\r', 'x', ' ');
    fc.assert(fc.property(fc.string({ unit, maxLength: 40 }), (text) => void parseCsv(text)));
  });

  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      'line ends of Windows',
    ],
    [
      '\uFEFFa,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      'a byte order mark, and no line end at the end',
    ],
    [
      'a,b\n\n\nc,d\n\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      'empty lines',
    ],
    [
      'a,\n,b\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
      'empty cells',
    ],
    ['"a","b ""c"""\n', [['a', 'b "c"']], 'quotation marks'],
    ['', [], 'nothing'],
  ])('%j is read with %s', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });

  it('knows the line in which a row begins, also behind cells of several lines', () => {
    const rows = parseCsv('a,b\n"1\n2",c\nd,e\n');
    expect(Array.isArray(rows) && rows.map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it.each([
    ['a,b\n"c,d\n', 2, 'is opened and not closed'],
    ['a,b\nc"d,e\n', 2, 'within a cell'],
    ['a,b\n"c"d,e\n', 2, 'is expected after a quotation mark'],
  ])('%j is none: line %d', (text, line, problem) => {
    expect(parseCsv(text)).toEqual({ line, problem: expect.stringContaining(problem) });
  });
});
