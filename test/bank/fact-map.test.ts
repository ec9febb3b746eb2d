/** Facts that came as text are the same as facts, however they are looked at. */
import { describe, expect, it } from 'vitest';
import { FactMap } from '../../src/bank/fact-map.js';

function filled(): FactMap<{ n: number }> {
  const facts = new FactMap<{ n: number }>();
  facts.set('a', { n: 1 });
  facts.setText('b', '{"n":2}');
  facts.set('c', { n: 3 });
  return facts;
}

const PAIRS = [
  ['a', { n: 1 }],
  ['b', { n: 2 }],
  ['c', { n: 3 }],
];

describe('a fact out of a store', () => {
  it.each<[string, (facts: FactMap<{ n: number }>) => unknown]>([
    ['for…of', (facts) => [...facts]],
    ['entries', (facts) => [...facts.entries()]],
    ['keys and values', (facts) => [...facts.keys()].map((key, i) => [key, [...facts.values()][i]])],
    [
      'forEach',
      (facts) => {
        const seen: unknown[] = [];
        facts.forEach((fact, key) => {
          seen.push([key, fact]);
        });
        return seen;
      },
    ],
    ['get', (facts) => ['a', 'b', 'c'].map((key) => [key, facts.get(key)])],
  ])('is read by %s, in its place', (_, look) => {
    expect(look(filled())).toEqual(PAIRS);
  });

  it('is read once, and stands in the place of its key', () => {
    const facts = filled();
    expect(facts.get('b')).toBe(facts.get('b'));
    facts.setText('a', '{"n":4}');
    expect([...facts]).toEqual([['a', { n: 4 }], PAIRS[1], PAIRS[2]]);
    expect([facts.size, facts.has('b'), facts.delete('b'), facts.get('b')]).toEqual([
      3,
      true,
      true,
      undefined,
    ]);
  });
});
