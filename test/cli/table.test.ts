import { describe, expect, it } from 'vitest';
import { renderTable } from '../../src/cli/table.js';

const COLUMNS = ['name', { right: 'days' }, 'remark'] as const;
const ROWS = [
  ['é', '7', ''],
  ['a longer name', '1234', 'a remark that goes on and on'],
  ['two\nlines', '', 'x'],
];

describe('a table', () => {
  it('lines up, without spaces at the end', () => {
    expect(renderTable(COLUMNS, ROWS)).toBe(
      [
        'NAME           DAYS  REMARK',
        'é                 7',
        'a longer name  1234  a remark that goes on and on',
        'two lines            x',
        '',
      ].join('\n'),
    );
  });

  it('is cut to the width of the screen, from the widest column', () => {
    const lines = renderTable(COLUMNS, ROWS, 36).split('\n');
    expect(lines[2]).toBe('a longer name  1234  a remark that …');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(36);
  });

  it('keeps what can be read of every column on the narrowest screen', () => {
    expect(renderTable(COLUMNS, ROWS, 1).split('\n')[2]).toBe('a longe…  1234  a remar…');
  });

  it('may have no rows', () => {
    expect(renderTable(COLUMNS, [])).toBe('NAME  DAYS  REMARK\n');
  });
});
