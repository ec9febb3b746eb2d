/** Facts that came as text are the same as facts, however they are looked at. */
import { describe, expect, it } from 'vitest';
import { FactFamily } from '../../src/ledger/index.js';

function filled(): FactFamily<{ n: number }> {
  const facts = new FactFamily<{ n: number }>();
  facts.put('a', { n: 1 });
  facts.putText('b', '{"n":2}');
  facts.put('c', { n: 3 });
  return facts;
}

const PAIRS = [
  ['a', { n: 1 }],
  ['b', { n: 2 }],
  ['c', { n: 3 }],
];

describe('a fact out of a store', () => {
  it.each<[string, (facts: FactFamily<{ n: number }>) => unknown]>([
    ['for…of', (facts) => [...facts]],
    ['entries', (facts) => [...facts.entries()]],
    ['keys and values', (facts) => [...facts.keys()].map((key, i) => [key, [...facts.values()][i]])],
    ['get', (facts) => ['a', 'b', 'c'].map((key) => [key, facts.get(key)])],
  ])('is read by %s, in its place', (_, look) => {
    expect(look(filled())).toEqual(PAIRS);
  });

  it('is read once, and is the newest when it comes again', () => {
    const facts = filled();
    expect(facts.get('b')).toBe(facts.get('b'));
    facts.putText('a', '{"n":4}');
    expect([...facts]).toEqual([PAIRS[1], PAIRS[2], ['a', { n: 4 }]]);
    facts.drop('b');
    expect([facts.size, facts.has('b'), facts.get('b')]).toEqual([2, false, undefined]);
  });
});
