/** Single mistakes of a client, planted in its calls at a bank: what to change, and the rule that must name it. */
import type { Call } from './calls.js';

type Plant = (call: Call) => Call | readonly Call[];

export interface Mistake {
  readonly name: string;
  readonly at: (call: Call) => boolean;
  readonly plant: Plant;
  readonly rule: string;
}

const named =
  (name: string) =>
  (call: Call): boolean =>
    call.name === name;
const json = (name: string) => (call: Call) =>
  call.name === name && call.headers['Content-Type'] === 'application/json';
const without =
  (header: string): Plant =>
  (call) => ({
    ...call,
    headers: Object.fromEntries(Object.entries(call.headers).filter(([name]) => name !== header)),
  });
const withHeader =
  (header: string, value: string): Plant =>
  (call) => ({ ...call, headers: { ...call.headers, [header]: value } });
const having =
  (name: string, header: string) =>
  (call: Call): boolean =>
    call.name === name && call.headers[header] !== undefined;
const member =
  (path: string, value?: unknown): Plant =>
  (call) => {
    const body = JSON.parse(call.body ?? '{}') as Record<string, unknown>;
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    const at = parts.reduce((here, part) => here[part] as Record<string, unknown>, body);
    if (value === undefined) delete at[last];
    else at[last] = value;
    return { ...call, body: JSON.stringify(body) };
  };
const url =
  (change: (url: string) => string): Plant =>
  (call) => ({ ...call, url: change(call.url) });
const query = (text: string): Plant => url((before) => `${before}${before.includes('?') ? '&' : '?'}${text}`);
const method =
  (name: string): Plant =>
  (call) => ({ ...call, method: name });
const cut: Plant = (call) => ({ ...call, body: (call.body ?? '').slice(0, -2) });

/** The same call once more, with ids of its own. */
const again = (call: Call, number: number): Call => {
  const id = { 'X-Request-ID': `00000000-0000-4000-9000-${String(number).padStart(12, '0')}` };
  return { ...call, headers: { ...call.headers, ...id }, answerHeaders: { ...call.answerHeaders, ...id } };
};
const times =
  (number: number): Plant =>
  (call) => [call, ...Array.from({ length: number - 1 }, (_, i) => again(call, i))];

const WRONG_IBAN = 'BE15983120441783';

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'a read without X-Request-ID',
    at: named('read payment status'),
    plant: without('X-Request-ID'),
    rule: 'requests/request-id-present',
  },
  {
    name: 'a creation without X-Request-ID',
    at: named('create payment'),
    plant: without('X-Request-ID'),
    rule: 'requests/request-id-present',
  },
  {
    name: 'an X-Request-ID that is no UUID',
    at: named('list accounts'),
    plant: withHeader('X-Request-ID', 'call-1'),
    rule: 'requests/request-id-is-uuid',
  },
  {
    name: 'an amount as a number',
    at: json('create payment'),
    plant: member('instructedAmount.amount', 12.5),
    rule: 'payments/amount-well-formed',
  },
  {
    name: 'an amount with a comma',
    at: json('create payment'),
    plant: member('instructedAmount.amount', '12,50'),
    rule: 'payments/amount-well-formed',
  },
  {
    name: 'an unknown currency',
    at: json('create payment'),
    plant: member('instructedAmount.currency', 'XXY'),
    rule: 'payments/currency-known',
  },
  {
    name: 'wrong check digits of a payment',
    at: json('create payment'),
    plant: member('creditorAccount.iban', WRONG_IBAN),
    rule: 'payments/iban-valid',
  },
  {
    name: 'no creditor',
    at: json('create payment'),
    plant: member('creditorName'),
    rule: 'payments/body-well-formed',
  },
  {
    name: 'a past execution date',
    at: json('create payment'),
    plant: member('requestedExecutionDate', '2026-06-01'),
    rule: 'payments/execution-date',
  },
  { name: 'a payment that is no JSON', at: json('create payment'), plant: cut, rule: 'requests/body-parses' },
  {
    name: 'a payment of another media type',
    at: named('create payment'),
    plant: withHeader('Content-Type', 'text/plain'),
    rule: 'requests/content-type',
  },
  {
    name: 'an unknown product',
    at: named('create payment'),
    plant: url((text) => text.replace('credit-transfers', 'credit-transfer')),
    rule: 'payments/product-known',
  },
  {
    name: 'an unknown query',
    at: named('list accounts'),
    plant: query('withBalances=true'),
    rule: 'requests/known-query',
  },
  {
    name: 'an unknown path',
    at: named('read balances'),
    plant: url((text) => text.replace(/balances$/, 'balance')),
    rule: 'requests/known-path',
  },
  {
    name: 'a wrong method',
    at: named('list accounts'),
    plant: method('POST'),
    rule: 'requests/known-method',
  },
  {
    name: 'no consent id',
    at: having('list accounts', 'Consent-ID'),
    plant: without('Consent-ID'),
    rule: 'accounts/consent-id-present',
  },
  {
    name: 'a validity that is past',
    at: json('create consent'),
    plant: member('validUntil', '2026-06-01'),
    rule: 'consents/valid-until-not-past',
  },
  {
    name: 'a validity that is no date',
    at: json('create consent'),
    plant: member('validUntil', '2026-13-01'),
    rule: 'consents/valid-until-is-a-date',
  },
  {
    name: 'a frequency of nothing',
    at: json('create consent'),
    plant: member('frequencyPerDay', 0),
    rule: 'consents/frequency-positive',
  },
  {
    name: 'a single access, four times a day',
    at: json('create consent'),
    plant: member('recurringIndicator', false),
    rule: 'consents/one-off-frequency',
  },
  {
    name: 'two kinds of access',
    at: json('create consent'),
    plant: member('access.allPsd2', 'allAccounts'),
    rule: 'consents/access-is-one-kind',
  },
  {
    name: 'wrong check digits of a consent',
    at: json('create consent'),
    plant: member('access.accounts', [{ iban: WRONG_IBAN }]),
    rule: 'consents/iban-valid',
  },
  {
    name: 'an address of no PSU',
    at: having('create payment', 'PSU-IP-Address'),
    plant: withHeader('PSU-IP-Address', '300.1.1.1'),
    rule: 'requests/psu-ip-address-valid',
  },
  {
    name: 'a return address that is none',
    at: having('create payment', 'TPP-Redirect-URI'),
    plant: withHeader('TPP-Redirect-URI', 'back to us'),
    rule: 'requests/redirect-uri-valid',
  },
  {
    name: 'a header that is neither true nor false',
    at: named('create payment'),
    plant: withHeader('TPP-Redirect-Preferred', 'yes'),
    rule: 'requests/boolean-headers',
  },
  {
    name: 'a date that is none',
    at: (call) => call.name === 'read transactions' && call.url.includes('dateFrom'),
    plant: url((text) => text.replace('2026-05-16', '16.05.2026')),
    rule: 'accounts/date-range',
  },
  {
    name: 'an unknown booking status',
    at: (call) => call.name === 'read transactions' && call.url.includes('bookingStatus'),
    plant: url((text) => text.replace('bookingStatus=booked', 'bookingStatus=done')),
    rule: 'accounts/booking-status',
  },
  {
    name: 'a fifth access on a day',
    at: having('list accounts', 'Consent-ID'),
    plant: times(5),
    rule: 'accounts/within-daily-limit',
  },
  {
    name: 'a read without a bearer',
    at: having('list accounts', 'Authorization'),
    plant: without('Authorization'),
    rule: 'accounts/token-present',
  },
  {
    name: 'a code without its verifier',
    at: named('oauth token'),
    plant: (call) => ({
      ...call,
      body: (call.body ?? '').replace(/code_verifier=[^&]+/, 'code_verifier=short'),
    }),
    rule: 'oauth/verifier-well-formed',
  },
  {
    name: 'a frequency that nobody knows',
    at: (call) => json('create payment')(call) && call.url.includes('/periodic-payments/'),
    plant: member('frequency', 'MONTHLY'),
    rule: 'payments/periodic-frequency',
  },
  {
    name: 'a member twice',
    at: json('create payment'),
    plant: (call) => ({ ...call, body: (call.body ?? '').replace('{', '{"creditorName":"Twice",') }),
    rule: 'requests/members-once',
  },
];
