import { describe, expect, it } from 'vitest';
import {
  bodySchema,
  describe as inWords,
  schemaViolations,
} from '../../../src/rules/checks/schema-violations.js';
import { ANSWER_BODIES, tppMessages } from '../../../src/spec/index.js';

describe('violations of a schema', () => {
  it('are none where all is well', () => {
    expect(
      schemaViolations(
        bodySchema(ANSWER_BODIES['consents.status']),
        { consentStatus: 'valid' },
        'answer body',
      ),
    ).toEqual([]);
  });

  it('name each field with its place, what was expected and what stood there', () => {
    const value = { transactionStatus: 3, paymentId: '', _links: { self: { href: null } } };
    expect(schemaViolations(bodySchema(ANSWER_BODIES['payments.create']), value, 'answer body')).toEqual([
      { place: 'answer body transactionStatus', expected: 'a string', actual: '3 (a number)' },
      { place: 'answer body paymentId', expected: 'a string that is not empty', actual: 'an empty string' },
      { place: 'answer body _links.self.href', expected: 'a string', actual: 'null' },
    ]);
  });

  it('are said of the body itself where it is something else altogether', () => {
    expect(schemaViolations(bodySchema(tppMessages), [], 'answer body')).toEqual([
      { place: 'answer body', expected: 'an object', actual: 'an array' },
    ]);
  });

  it('tell the alternatives of a union', () => {
    const lists = ANSWER_BODIES['payments.cancellation-authorisations.list'];
    expect(schemaViolations(bodySchema(lists), {}, 'body')[0]?.expected).toBe(
      'authorisationIds an array, or cancellationIds an array',
    );
  });

  it('are twenty at most', () => {
    const value = { accounts: Array.from({ length: 500 }, () => ({})) };
    expect(schemaViolations(bodySchema(ANSWER_BODIES['accounts.list']), value, 'body')).toHaveLength(20);
  });
});

describe('the words for a value', () => {
  it.each([
    [undefined, 'absent'],
    [null, 'null'],
    ['', 'an empty string'],
    ['42', '"42"'],
    [42, '42 (a number)'],
    [true, 'true (a boolean)'],
    [[1], 'an array'],
    [{}, 'an object'],
    ['x'.repeat(500), `"${'x'.repeat(60)}"`],
  ])('%j is %s', (value, words) => {
    expect(inWords(value)).toBe(words);
  });
});
