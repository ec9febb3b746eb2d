/** Reading bodies by their media type. */
import { describe, expect, it } from 'vitest';
import { readContent } from '../../src/exchange/index.js';

const FORM = 'application/x-www-form-urlencoded';
const read = (text: string, type: string) => readContent({ text, size: Buffer.byteLength(text) }, type);

describe('a form', () => {
  it('is read in its order, whatever its fields are named', () => {
    expect(read('b=1&__proto__=2&b=%203+4&c', FORM)).toEqual({
      kind: 'form',
      fields: [
        ['b', '1'],
        ['__proto__', '2'],
        ['b', ' 3 4'],
        ['c', ''],
      ],
    });
  });

  it('of more fields than any request has is not read', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
    expect(read(fields(1_000), FORM).kind).toBe('form');
    const problem = 'it has more than 1000 fields';
    expect(read(fields(1_001), FORM)).toEqual({ kind: 'unparseable', problem });
    expect(read('&'.repeat(1_000_000), FORM)).toEqual({ kind: 'unparseable', problem });
  });
});

describe('JSON', () => {
  const JSON_TYPE = 'application/json';

  it('that comes again and again is read no more', () => {
    const text = JSON.stringify({ consentStatus: 'valid', at: 'content.test' });
    const [first, second, third] = [read(text, JSON_TYPE), read(text, JSON_TYPE), read(text, JSON_TYPE)];
    expect(third).toBe(second);
    expect([first, second]).toEqual([third, { kind: 'json', value: JSON.parse(text) }]);
  });

  it('that does not parse is told as such each time', () => {
    expect(read('{"a":', JSON_TYPE).kind).toBe('unparseable');
    expect(read('{"a":', JSON_TYPE)).toEqual(read('{"a":', JSON_TYPE));
  });

  it.each([
    ['{"a":', 1, 6],
    ["{'password':'123456'}", 1, 2],
    [`{"a":1,\n "password":'123456'}`, 2, 13],
    ['\uFEFF{}', 1, 1],
  ])('that does not parse is told by its place, and with nothing of its text: %j', (text, line, column) => {
    const problem = `it is not JSON from line ${line}, column ${column} on`;
    expect(read(text, JSON_TYPE)).toEqual({ kind: 'unparseable', problem });
  });

  it('that does not parse is told without its place where it is so long that finding that would hold up others', () => {
    const broken = (length: number) => `["${'x'.repeat(length - 2)}`;
    expect(read(broken(16_384), JSON_TYPE)).toMatchObject({ problem: expect.stringContaining('line 1') });
    expect(read(broken(16_385), JSON_TYPE)).toEqual({ kind: 'unparseable', problem: 'it is not JSON' });
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('that is deeper than any body is not read: %s', (_, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`;
    expect(read(nested(1_000), JSON_TYPE).kind).toBe('json');
    const problem = 'it is nested more than 1000 deep';
    expect(read(nested(1_001), JSON_TYPE)).toEqual({ kind: 'unparseable', problem });
    expect(read(open.repeat(100_000), JSON_TYPE)).toEqual({ kind: 'unparseable', problem });
  });

  it('is as deep as it is, however many brackets stand beside each other or in texts', () => {
    const wide = JSON.stringify(Array.from({ length: 5_000 }, () => ['[[{{', { a: [], '{[': '\\"[' }]));
    expect(read(wide, JSON_TYPE)).toEqual({ kind: 'json', value: JSON.parse(wide) });
  });

  it('that did not parse and was stored as one fingerprint is not told otherwise', () => {
    const hidden = `fp_${'A'.repeat(22)}`;
    expect(read(hidden, JSON_TYPE)).toEqual({ kind: 'unparseable', problem: 'it is not shown' });
  });

  it('under another media type is another content', () => {
    expect(read('{"a":1}', JSON_TYPE).kind).toBe('json');
    expect(read('{"a":1}', 'text/plain')).toEqual({ kind: 'opaque' });
    expect(read('{"a":1}', FORM).kind).toBe('form');
  });

  it('that is long is read each time, and not kept in memory', () => {
    const text = JSON.stringify({ long: 'x'.repeat(20_000) });
    expect(read(text, JSON_TYPE)).toEqual(read(text, JSON_TYPE));
    expect(read(text, JSON_TYPE)).not.toBe(read(text, JSON_TYPE));
  });
});
