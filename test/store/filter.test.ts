import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import {
  FILTER_FIELDS,
  type FilterTree,
  matches,
  parseFilter,
  type RecordedExchange,
} from '../../src/store/index.js';
import { anExchange, NOW, REQUEST_ID, TPP } from '../builders.js';

const refused: RecordedExchange = {
  exchange: anExchange({
    call: { operation: 'accounts.balances', headers: { 'Consent-Id': 'VALID_CONSENT_ID' }, at: NOW },
    answer: { status: 429, source: 'rule' },
  }),
  verdicts: {},
  findings: [
    {
      rule: 'accounts/within-daily-limit',
      severity: 'must',
      judges: 'tpp',
      place: 'path',
      expected: '4 a day',
    },
  ],
};

const matching = [
  '',
  'status>=400',
  'status:429',
  'status=429 operation:accounts.*',
  'operation:consents.*,accounts.balances',
  'rule:accounts/*',
  '-rule:oauth/*',
  'rule!=oauth/state-fresh',
  'severity:must judges:tpp',
  'consent:valid_consent_id',
  `request-id:${REQUEST_ID}`,
  `tpp:${TPP}`,
  'path:"/stdgroup/v1/accounts/*/balances"',
  'path:*accounts*balances',
  'at>=2026-06-15 at<2026-06-16',
  'ms<10 method:get source:rule listener:api',
  'status:4*,500',
  'status:"429"',
  'at:2026-06-15*,2027*',
  'at>=2026-06-15T00:00Z at<2026-06-15T23:59:59.999Z',
  'path:"/stdgroup/v1\\/accounts/*"',
];
const other = [
  'status<400',
  'operation:accounts',
  'rule:oauth/*',
  '-status>=400',
  'payment:*',
  'path:*/balances/*x',
  'at>2027',
];
const broken: [string, RegExp][] = [
  ['status', /character 1/],
  ['status>=400 &&', /character 13/],
  ['stat:400', /Did you mean «status»/],
  ['status:', /has no value/],
  ['path:""', /has no value/],
  ['path:"abc', /«path:abc» has a quote that is not closed/],
  ['path:"abc\\"', /not closed/],
  ['status:"4 method:get', /not closed/],
  ['status>many', /«status>many» needs a number/],
  ['payment:none status>=x', /needs a number/],
  ['status>=4*', /needs a number/],
  ['status:ok', /needs a number/],
  ['status:429,', /needs a number/],
  ['-ms<fast', /needs a number/],
  ['status==200', /«status==200» has the operator «==»; there are : = != > >= < <=/],
  ['status=>400', /operator «=>»/],
  ['operation==accounts.list', /operator «==»/],
  ['at>=gestern', /«at>=gestern» needs a time in UTC, such as 2026-06-15/],
  ['at>=2026-06-15T10:00+02:00', /needs a time in UTC/],
  ['at:2026-06-15', /with «\*», such as 2026-06-15\*/],
];

describe('a filter', () => {
  it('is plain data: terms under and, or and not', () => {
    expect(parseFilter('status>=400 operation!=accounts.*,oauth.token')).toEqual({
      and: [
        { field: 'status', operator: '>=', value: '400' },
        {
          not: {
            or: [
              { field: 'operation', operator: '=', value: 'accounts.*' },
              { field: 'operation', operator: '=', value: 'oauth.token' },
            ],
          },
        },
      ],
    });
  });
  it.each(matching)('lets through: %s', (text) => {
    expect(matches(parseFilter(text))(refused)).toBe(true);
  });
  it.each(other)('holds back: %s', (text) => {
    expect(matches(parseFilter(text))(refused)).toBe(false);
  });
  it.each(broken)('that is broken tells where, before it meets any record: %s', (text, message) => {
    expect(() => parseFilter(text)).toThrow(message);
  });
  it('of any text is a filter or a usage error, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        let filter: FilterTree;
        try {
          filter = parseFilter(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
          return;
        }
        expect(typeof matches(filter)(refused)).toBe('boolean');
      }),
    );
  });
  it('by the id finds just that exchange', () => {
    expect(matches(parseFilter(`id:${refused.exchange.call.id}`))(refused)).toBe(true);
    expect(FILTER_FIELDS.map(([name]) => name)).toContain('id');
  });
});
