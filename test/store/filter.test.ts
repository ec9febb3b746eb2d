import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import { FILTER_FIELDS, parseFilter } from '../../src/store/filter.js';
import type { RecordedExchange } from '../../src/store/index.js';
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
      place: 'call',
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
  ['stat:400', /did you mean «status»/],
  ['status:', /has no value/],
  ['status:"4', /has no value|character/],
  ['status>many', /not a number/],
];

describe('a filter', () => {
  it.each(matching)('lets through: %s', (text) => {
    expect(parseFilter(text)(refused)).toBe(true);
  });
  it.each(other)('holds back: %s', (text) => {
    expect(parseFilter(text)(refused)).toBe(false);
  });
  it.each(broken)('that is broken tells where: %s', (text, message) => {
    expect(() => parseFilter(text)(refused)).toThrow(message);
  });
  it('of any text is a predicate or a usage error, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        try {
          parseFilter(text)(refused);
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
        }
      }),
    );
  });
  it('by the id finds just that exchange', () => {
    expect(parseFilter(`id:${refused.exchange.call.id}`)(refused)).toBe(true);
    expect(FILTER_FIELDS.map(([name]) => name)).toContain('id');
  });
});
