import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSharing, share } from '../../src/store/shared-text.js';

describe('sharing values as JSON', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom({}, [], { a: [1] }, { a: { 0: 1 } }, [{ a: 1 }]));

  it('gives the text that JSON.stringify writes, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const shareValue = createJsonSharing<unknown>(() => 'one kind');
        for (const one of [...values, ...structuredClone(values)])
          expect(shareValue(one)).toEqual(share(JSON.stringify(one)));
      }),
    );
  });

  it('gives an equal value the same text without writing it again', () => {
    const shareValue = createJsonSharing<{ readonly kind: string }>(({ kind }) => kind);
    const first = shareValue({ kind: 'a' });
    shareValue({ kind: 'b' });
    expect(shareValue({ kind: 'a' })).toBe(first);
  });

  it('writes the members in the order in which they stand', () => {
    const shareValue = createJsonSharing<object>(() => 'one kind');
    shareValue({ a: 1, b: 2 });
    expect(shareValue({ b: 2, a: 1 }).text).toBe('{"b":2,"a":1}');
  });

  it('forgets what came long ago, and still gives the same text', () => {
    const shareValue = createJsonSharing<number[]>(() => 'one kind');
    const first = shareValue([0]);
    for (let i = 1; i < 20; i++) shareValue([i]);
    const again = shareValue([0]);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});
