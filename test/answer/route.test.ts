import { describe, expect, it } from 'vitest';
import { createRoute, operationsOf } from '../../src/answer/index.js';
import { EVERY_OPERATION_ID } from '../../src/spec/index.js';

describe('a route', () => {
  it('leads to the most exact choice, in whatever order they stand', () => {
    const choices = {
      '*': 'all',
      'consents.status': 'one',
      'consents.*': 'kind',
      'consents.authorisations.*': 'deeper',
    };
    for (const given of [choices, Object.fromEntries(Object.entries(choices).toReversed())]) {
      const route = createRoute(given, () => 'none');
      expect(route('consents.status')).toBe('one');
      expect(route('consents.read')).toBe('kind');
      expect(route('consents.authorisations.list')).toBe('deeper');
      expect(route('accounts.list')).toBe('all');
    }
  });

  it('leads calls of no known operation to the choice for all others, as it is then', () => {
    let otherwise = 'before';
    const route = createRoute({ '*': 'all' }, () => otherwise);
    expect(route(null)).toBe('before');
    otherwise = 'after';
    expect(route(null)).toBe('after');
  });

  it('knows which operations a pattern names', () => {
    expect(operationsOf('*')).toEqual(EVERY_OPERATION_ID);
    expect(operationsOf('accounts.list')).toEqual(['accounts.list']);
    expect(operationsOf('accounts.*').every((id) => id.startsWith('accounts.'))).toBe(true);
    for (const misspelt of ['', 'account.*', 'acc*', 'accounts', 'accounts.', '*.list'])
      expect(operationsOf(misspelt), misspelt).toEqual([]);
  });
});
