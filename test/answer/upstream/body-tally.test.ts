/** A body that passes by is known by its beginning, its length and its hash. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyTally } from '../../../src/answer/upstream/index.js';
import { codePoint } from '../../code-points.js';

function tallied(bytes: Uint8Array, prefixBytes: number, pieces: readonly number[] = []) {
  const tally = createBodyTally(prefixBytes);
  let at = 0;
  for (const length of pieces) {
    tally.add(bytes.subarray(at, at + length));
    at += length;
  }
  tally.add(bytes.subarray(at));
  expect(tally.size()).toBe(bytes.length);
  return tally.body();
}

describe('createBodyTally', () => {
  it('gives the same for any pieces that a body comes in', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat(40)),
        fc.nat(400),
        (bytes, pieces, prefix) => {
          const body = tallied(bytes, prefix, pieces);
          expect(body).toEqual(tallied(bytes, prefix));
          expect(body).toMatchObject({
            size: bytes.length,
            truncated: true,
            sha256: createHash('sha256').update(bytes).digest('hex'),
          });
        },
      ),
    );
  });

  it('keeps of a text as many whole characters as there is room for', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(100), (text, prefix) => {
        const whole = Buffer.from(text).toString();
        const kept = tallied(Buffer.from(whole), prefix).text;
        expect(whole.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(prefix);
        const next = [...whole.slice(kept.length)][0];
        if (next !== undefined) expect(Buffer.byteLength(kept + next)).toBeGreaterThan(prefix);
      }),
    );
  });

  it('keeps nothing of what is no text', () => {
    expect(tallied(Buffer.from([0x61, 0xff, 0x62]), 100).text).toBe('');
    expect(tallied(Buffer.from('text'), 0).text).toBe('');
  });
});
