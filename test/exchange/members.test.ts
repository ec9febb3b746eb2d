/** Single members of values that may hold anything. */
import { describe, expect, it } from 'vitest';
import { jsonPath, memberOf, queryValue } from '../../src/exchange/index.js';
import { aCall } from '../builders.js';

describe('a member', () => {
  it('is one of the value itself', () => {
    const value = JSON.parse('{"a":1,"__proto__":2}');
    expect(memberOf(value, 'a')).toBe(1);
    expect(memberOf(value, '__proto__')).toBe(2);
    for (const other of [null, undefined, 'text', 4, {}, []]) {
      expect(memberOf(other, 'constructor')).toBeUndefined();
      expect(memberOf(other, '__proto__')).toBeUndefined();
    }
  });

  it('has a path', () => {
    expect(jsonPath(['accounts', 0, '_links', 'self'])).toBe('accounts[0]._links.self');
    expect(jsonPath([])).toBe('');
  });
});

it('of several query parameters with a name the first counts', () => {
  const call = aCall({ query: 'b=1&a=&a=2&__proto__=3' });
  expect(queryValue(call, 'a')).toBe('');
  expect(queryValue(call, '__proto__')).toBe('3');
  expect(queryValue(call, 'constructor')).toBeUndefined();
});
