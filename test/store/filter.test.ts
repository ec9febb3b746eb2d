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
import { printFilter } from './print-filter.js';

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
  'status:200 OR status:429',
  'status:200 method:post OR status:429 method:get',
  'status:429 (method:post OR method:get)',
  '(((status:429)))',
  'NOT(status:200 OR status:500) AND -(rule:oauth/* severity:should)',
  'NOT NOT status:429 -(-status:429)',
  '"4 a" Valid_Consent',
  'valid*id',
  '-"5 a day"',
  'text:"x,4 a"',
  'text!=never',
  'within-daily OR nothing',
  '(WITHIN-DAILY)',
  'path:*(x) OR path:*',
  'path:"*"status:429',
];
const other = [
  'status<400',
  'operation:accounts',
  'rule:oauth/*',
  '-status>=400',
  'payment:*',
  'path:*/balances/*x',
  'at>2027',
  'status:429 method:post OR status:200',
  'never',
  '"a day 4"',
  '-(status:429 OR status:200)',
  'status:429 (method:post OR never)',
];
const broken: [string, RegExp][] = [
  ['status>=400 &&', /character 13/],
  ['stat:400', /Did you mean “status”/],
  ['status:', /has no value/],
  ['path:""', /has no value/],
  ['ms>1 path:"abc', /opens “"” at character 11 /],
  ['path:"abc\\"', /not close/],
  ['status:"4 method:get', /not close/],
  ['method:get status>many', /character 12 .*“status>many” needs a number/],
  ['payment:none status>=x', /needs a number/],
  ['status>=4*', /needs a number/],
  ['status:ok', /needs a number/],
  ['status:429,', /needs a number/],
  ['-ms<fast', /needs a number/],
  ['status==200', /“status==200” has the operator “==”; there are : = != > >= < <=/],
  ['status=>400', /operator “=>”/],
  ['operation==accounts.list', /operator “==”/],
  ['at>=gestern', /“at>=gestern” needs a time in UTC, such as 2026-06-15/],
  ['at>=2026-06-15T10:00+02:00', /needs a time in UTC/],
  ['at:2026-06-15', /with “\*”, such as 2026-06-15\*/],
  ['OR status:429', /is incomplete at character 1/],
  ['status:429 OR', /is incomplete at character 14/],
  ['status:429 OR OR never', /is incomplete at character 15/],
  ['status:429 AND', /is incomplete at character 15/],
  ['NOT', /is incomplete at character 4/],
  ['a -', /is incomplete at character 4/],
  ['--a', /cannot be read at character 2/],
  ['- a', /cannot be read at character 2/],
  ['()', /is incomplete at character 2/],
  ['a (b OR (c)', /opens “\(” at character 3 /],
  ['(a OR "b)', /opens “"” at character 7 /],
  ['status:429 )', /“\)” at character 12 that closes nothing/],
  ['never)', /“\)” at character 6 that closes nothing/],
  ['path:a"b"', /character 7 /],
  ['path:"a",b', /character 9 /],
  ['""', /character 1 /],
  ['https://bank.example', /does not know “https” at character 1.* in quotes/],
  ['a Status:200', /does not know “Status” at character 3.*“status”/],
  ['text>a', /“text>a” has the operator “>”; there are : = !=/],
];

/** As parsing gives them: alternatives of a field stand apart, and what stands alone is in nothing. */
const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom('OR', '(', ')', 'a"b', '\\', '-x', '\n'),
);
const trees = fc.oneof(
  fc.constant<FilterTree>({ and: [] }),
  fc.letrec<{ tree: FilterTree }>((tie) => {
    const several = fc.array(tie('tree'), { minLength: 2, maxLength: 3 });
    return {
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        value.map((text): FilterTree => ({ field: 'text', operator: '=', value: text })),
        fc.record({
          field: fc.constantFrom('path', 'operation', 'rule'),
          operator: fc.constant('='),
          value: value.map((text) => text.replaceAll(',', ';')),
        }),
        fc.record({
          field: fc.constantFrom('status', 'ms'),
          operator: fc.constantFrom('>', '>=', '<', '<='),
          value: fc.nat(999).map(String),
        }),
        several.map((and) => ({ and })),
        several.map((or) => ({ or })),
        tie('tree').map((not) => ({ not })),
      ),
    };
  }).tree,
);
const SIGNS = ['OR', 'AND', 'NOT', '(', ')', '-', '"', ' ', ' ', 'status', '>=', '429', 'a', ':', '\\', ','];
const pieces = fc.array(fc.constantFrom(...SIGNS), { maxLength: 24 }).map((all) => all.join(''));

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
  it('keeps parentheses in a value, and ends a value at one that was opened before it', () => {
    const path = (value: string) => ({ field: 'path', operator: '=', value });
    expect(parseFilter('path:a(b) path:c)d')).toEqual({ and: [path('a(b)'), path('c)d')] });
    expect(parseFilter('(path:a(b) OR path:c)')).toEqual({ or: [path('a(b)'), path('c')] });
  });
  it('that was parsed is parsed alike when it is printed', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(parseFilter(printFilter(tree))).toEqual(tree);
      }),
    );
  });
  it('of any text is a filter or a usage error, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 60 }), pieces), (text) => {
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
