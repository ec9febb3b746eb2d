/** What the profile of a bank makes of findings: severities of its own, and known deviations. */
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, type JudgeParts, RULES } from '../../src/rules/index.js';
import { type BankProfile, dialectOf } from '../../src/spec/index.js';
import { anExchange, aProfile, type CallParts, fingerprint, judgeOptions } from '../builders.js';
import { processorTime } from '../processor-time.js';

const TODAY = '2026-06-15';
const A_READ = { operation: 'accounts.list', headers: { 'Consent-Id': 'C' } } as const;
const NUMBERS = {
  accounts: [
    {
      currency: 'EUR',
      balances: [{ balanceType: 'closingBooked', balanceAmount: { currency: 'EUR', amount: 1 } }],
    },
  ],
};

type Parts = { bank?: Parameters<typeof aProfile>[0]; call?: CallParts } & Pick<
  JudgeParts,
  'overrides' | 'waivers'
>;

function findings(rule: string, { bank, call = A_READ, overrides, waivers }: Parts) {
  const dialect = dialectOf(bank && aProfile(bank));
  const options = { ...judgeOptions(), dialect };
  const given = { ...(overrides && { overrides }), ...(waivers && { waivers }) };
  const judge = createJudge({ rules: RULES, options, fingerprint, today: TODAY, ...given });
  const exchange = anExchange({ call: { dialect, ...call }, answer: { body: NUMBERS } });
  const before = judge.judgeCall(exchange.call, createLedger());
  const judged = judge.judgeExchange(exchange, createLedger(), before);
  return { ...judged, findings: judged.findings.filter((finding) => finding.rule === rule) };
}

const STRINGS = 'answers/amounts-are-strings';
const UUID = 'requests/request-id-is-uuid';
const withSeverity = (severity: 'must' | 'off'): Pick<BankProfile, 'rules'> => ({
  rules: { [STRINGS]: { severity, reason: 'A test.' } },
});
const deviating = (rule: string, operations?: string[], place?: string): Pick<BankProfile, 'deviations'> => ({
  deviations: [
    {
      ...{ id: 'as-it-likes', rule, says: 'It does.', sample: '1' },
      ...(operations && { operations }),
      ...(place && { place }),
    },
  ],
});

describe('a severity of the profile', () => {
  it.each<[string, Parts, string[]]>([
    ['that of the catalogue without one', {}, ['should']],
    ['its own', { bank: withSeverity('must') }, ['must']],
    ['off', { bank: withSeverity('off') }, []],
    [
      'what the user says above it',
      { bank: withSeverity('off'), overrides: { [STRINGS]: 'note' } },
      ['note'],
    ],
  ])('%s', (_, parts, severities) => {
    expect(findings(STRINGS, parts).findings.map(({ severity }) => severity)).toEqual(severities);
  });

  it('leaves waivers to the user', () => {
    const waivers = [{ rule: STRINGS, reason: 'known', until: '2026-12-31' }];
    expect(findings(STRINGS, { bank: withSeverity('must'), waivers }).findings).toMatchObject([
      { severity: 'must', waived: 'known' },
    ]);
  });
});

it('a time zone that there is not is refused before anything is judged, as a recording may hold it', () => {
  const bank = { limits: { accesses: { count: 'calendar-day', zone: 'Mars/Base' } } } as const;
  expect(() => findings(UUID, { bank })).toThrow(/Mars\/Base/);
});

describe('a known deviation', () => {
  const known = { actual: '1 (a number); a known deviation of this bank: as-it-likes' };
  it.each<[string, Parts, object]>([
    ['weighs a note, and is named', { bank: deviating(STRINGS) }, { severity: 'note', ...known }],
    ['at a kind of operations', { bank: deviating(STRINGS, ['accounts.*']) }, { severity: 'note', ...known }],
    [
      'is no other than it was, at another operation',
      { bank: deviating(STRINGS, ['payments.*']) },
      { severity: 'should', actual: '1 (a number)' },
    ],
    [
      'at a place of the answer',
      { bank: deviating(STRINGS, ['*'], 'answer body *.amount') },
      { severity: 'note', ...known },
    ],
    [
      'is no other than it was, at another place',
      { bank: deviating(STRINGS, ['*'], 'answer body transactions*') },
      { severity: 'should', actual: '1 (a number)' },
    ],
    [
      'weighs no more where the user says so',
      { bank: deviating(STRINGS), overrides: { [STRINGS]: 'must' } },
      { severity: 'note', ...known },
    ],
  ])('%s', (_, parts, finding) => {
    expect(findings(STRINGS, parts).findings).toMatchObject([finding]);
  });

  it.each([
    ['answer body *.amount', 'note'],
    ['answer body *.*.amount', 'note'],
    ['*', 'note'],
    ['answer body *balanceAmount*.amount*', 'note'],
    ['answer body accounts[0].balances[0].balanceAmount.amount*amount', 'should'],
    ['*a*'.repeat(66), 'should'],
  ])('stands at %j or not, as soon as it is asked', (place, severity) => {
    const before = processorTime();
    expect(findings(STRINGS, { bank: deviating(STRINGS, ['*'], place) }).findings).toMatchObject([
      { severity },
    ]);
    expect(processorTime() - before).toBeLessThan(2_000);
  });

  it('does not blame the TPP that follows it', () => {
    const call = { ...A_READ, headers: { ...A_READ.headers, 'X-Request-ID': '1' } };
    expect(findings(UUID, { call }).findings).toHaveLength(1);
    const { findings: found, verdicts } = findings(UUID, { call, bank: deviating(UUID) });
    expect(found).toEqual([]);
    expect(verdicts).not.toHaveProperty([UUID]);
  });
});

/** A call under a bank profile, and whether a rule finds it wrong there; under the built-in interface it would. */
const otherwise: readonly (readonly [
  what: string,
  rule: string,
  bank: Parameters<typeof aProfile>[0],
  call: CallParts,
  verdict: 'complied' | 'violated' | undefined,
])[] = [
  [
    'no bearer where none is asked',
    'accounts/token-present',
    { access: { bearer: 'none' } },
    A_READ,
    undefined,
  ],
  [
    'no bearer where one may be',
    'accounts/token-present',
    { access: { bearer: 'optional' } },
    A_READ,
    undefined,
  ],
  [
    'no bearer where one is asked',
    'accounts/token-present',
    { access: { bearer: 'required' } },
    A_READ,
    'violated',
  ],
  [
    'no consent id where there are no consents',
    'accounts/consent-id-present',
    { access: { consent: 'none' } },
    { operation: 'accounts.list' },
    undefined,
  ],
  [
    'a return address that the bank does without',
    'requests/redirect-uri-present',
    { headers: { optional: { 'TPP-Redirect-URI': ['consents.create'] } } },
    { operation: 'consents.create' },
    undefined,
  ],
  [
    'an address of the PSU that the bank does without',
    'requests/psu-ip-address-present',
    { headers: { optional: { 'PSU-IP-Address': ['consents.*'] } } },
    { operation: 'consents.create' },
    undefined,
  ],
  [
    'a product of the bank',
    'payments/product-known',
    { services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } } },
    {
      operation: 'payments.create',
      params: { paymentService: 'periodic-payments', paymentProduct: 'sepa-credit-transfers' },
    },
    'complied',
  ],
  [
    'a product of another service',
    'payments/product-known',
    { services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } } },
    {
      operation: 'payments.create',
      params: { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers' },
    },
    'violated',
  ],
  [
    'XML where the product is in XML',
    'requests/content-type',
    { services: { payments: { 'pain.001': { like: 'SCT', media: ['application/xml'] } } } },
    {
      operation: 'payments.create',
      params: { paymentService: 'payments', paymentProduct: 'pain.001' },
      headers: { 'Content-Type': 'application/xml' },
      body: '<Document/>',
    },
    'complied',
  ],
  [
    'JSON where the product is in XML',
    'requests/content-type',
    { services: { payments: { 'pain.001': { like: 'SCT', media: ['application/xml'] } } } },
    {
      operation: 'payments.create',
      params: { paymentService: 'payments', paymentProduct: 'pain.001' },
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    },
    'violated',
  ],
  [
    'a query of the bank',
    'requests/known-query',
    { query: { further: { limit: ['accounts.list'] } } },
    { operation: 'accounts.list', query: 'limit=10' },
    'complied',
  ],
  [
    'no bookingStatus where the bank knows none',
    'accounts/booking-status',
    { query: { optional: { bookingStatus: ['accounts.transactions'] } } },
    { operation: 'accounts.transactions' },
    undefined,
  ],
  [
    'the frequency WEEK where the bank has codes of its own',
    'payments/periodic-frequency',
    {
      services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } },
      bodies: { 'payments.create': { values: { frequency: ['WEEK'] } } },
    },
    {
      operation: 'payments.create',
      params: { paymentService: 'periodic-payments', paymentProduct: 'sepa-credit-transfers' },
      body: { frequency: 'WEEK' },
    },
    'complied',
  ],
  [
    'the frequency MONTHLY where the bank has codes of its own',
    'payments/periodic-frequency',
    {
      services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } },
      bodies: { 'payments.create': { values: { frequency: ['WEEK'] } } },
    },
    {
      operation: 'payments.create',
      params: { paymentService: 'periodic-payments', paymentProduct: 'sepa-credit-transfers' },
      body: { frequency: 'MONTHLY' },
    },
    'violated',
  ],
  [
    'a token of the client',
    'oauth/grant-type',
    { oauth: { grants: ['client_credentials'] } },
    { operation: 'oauth.token', form: { grant_type: 'client_credentials' } },
    'complied',
  ],
  [
    'a grant that no bank has',
    'oauth/grant-type',
    { oauth: { grants: ['client_credentials'] } },
    { operation: 'oauth.token', form: { grant_type: 'password' } },
    'violated',
  ],
  [
    'a token without client_id, where none is asked',
    'oauth/token-parameters',
    { oauth: { optional: ['client_id'] } },
    { operation: 'oauth.token', form: { grant_type: 'refresh_token', refresh_token: 'R' } },
    'complied',
  ],
  [
    'response_type in the spelling of the bank',
    'oauth/response-type',
    { oauth: { responseTypes: ['CODE'] } },
    { operation: 'oauth.authorize', query: 'response_type=CODE' },
    'complied',
  ],
  [
    'another bookingStatus all the same',
    'accounts/booking-status',
    { query: { optional: { bookingStatus: ['accounts.transactions'] } } },
    { operation: 'accounts.transactions', query: 'bookingStatus=done' },
    'violated',
  ],
];

it.each(otherwise)('%s: %s', (_, rule, bank, call, verdict) => {
  expect(findings(rule, { bank, call }).verdicts[rule]).toBe(verdict);
});

describe('what a PSU enters', () => {
  const offers = { paths: { offers: ['consents.authorisations.update' as const] } };
  it.each([
    [{ psuData: { password: 'open-sesame' } }],
    [{ psuData: { encryptedPassword: 'open-sesame' } }],
    [{ scaAuthenticationData: 'open-sesame' }],
    [{ confirmationCode: 'open-sesame' }],
  ])('is in no finding, wherever else it was sent: %j', (body) => {
    const operation = 'consents.authorisations.update';
    const call = { operation, body, headers: { 'X-Request-ID': 'open-sesame' } } as const;
    const { findings: found, refusal } = findings(UUID, { bank: offers, call });
    expect(found).toMatchObject([{ place: 'header X-Request-ID', actual: fingerprint('open-sesame') }]);
    expect(JSON.stringify([found, refusal])).not.toContain('open-sesame');
  });
});
