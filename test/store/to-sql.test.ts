import { describe, expect, it } from 'vitest';
import { type Dialect, toSql } from '../../src/store/filter/to-sql.js';
import { parseFilter } from '../../src/store/index.js';

const dialect: Dialect = {
  columns: {
    status: ({ operator, value }, bind) => ({ sql: `status ${operator} ${bind(value)}`, isSure: true }),
    path: ({ value }, bind) => ({ sql: `path ~ ${bind(value)}` }),
    tpp: () => undefined,
  },
  placeholder: (place) => `$${place}`,
};

describe('a filter as SQL', () => {
  it.each([
    ['', 'TRUE', null],
    ['status>=400 -status:500', '(status >= $1) AND (NOT (status = $2))', null],
    ['status:4 path:a', '(status = $1) AND (path ~ $2)', 'path:a'],
    ['status:4 path:a path:b', '(status = $1) AND (path ~ $2) AND (path ~ $3)', 'path:a path:b'],
    ['status:4 OR path:a', '(status = $1) OR (path ~ $2)', 'status:4 OR path:a'],
    ['-(status:4 path:a)', 'NOT ((status = $1) AND (path ~ $2))', '-(status:4 path:a)'],
    ['tpp:x status:4', '(NULL) AND (status = $1)', 'tpp:x'],
    ['word', 'NULL', 'word'],
  ])('leaves over what its columns do not tell for sure: %s', (text, sql, rest) => {
    const condition = toSql(parseFilter(text), dialect);
    expect(condition.sql).toBe(`(${sql}) IS NOT FALSE`);
    expect(condition.rest).toEqual(rest === null ? null : parseFilter(rest));
  });

  it('gives the values in the order of their placeholders', () => {
    expect(toSql(parseFilter('status:1,2 -(path:c OR status>3)'), dialect).values).toEqual([
      '1',
      '2',
      'c',
      '3',
    ]);
  });
});
