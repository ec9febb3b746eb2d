/** Bodies as their media type says. */
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
