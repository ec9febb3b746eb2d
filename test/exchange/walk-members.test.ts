import { describe, expect, it } from 'vitest';
import { walkMembers } from '../../src/exchange/answer-members.js';

function visited(root: unknown): string[] {
  const seen: string[] = [];
  walkMembers(root, (_name, _value, _owner, path) => seen.push(path.map(String).join('.')));
  return seen;
}

describe('walking the members of a JSON value', () => {
  it('comes to every member, with its path', () => {
    expect(visited({ a: [{ b: 1 }, { b: { c: 2 } }], d: null })).toEqual([
      'a',
      'a.0.b',
      'a.1.b',
      'a.1.b.c',
      'd',
    ]);
  });

  it.each([null, 1, 'text', [], {}])('finds nothing in %j', (root) => {
    expect(visited(root)).toEqual([]);
  });

  it('ends at 12 levels, however deep the value is', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(visited(deep)).toHaveLength(12);
  });

  it('ends after 50,000 values, however many there are', () => {
    const wide = { list: Array.from({ length: 80_000 }, () => ({ a: 1 })) };
    expect(visited(wide).length).toBeLessThan(50_000);
  });
});
