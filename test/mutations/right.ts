/** Changes of valid journeys that are right, as data: near to a fault, and none. Nobody is blamed, by no note either. */
import type { Profile } from '../../src/rules/index.js';
import type { Change } from './changes.js';
import type { JourneyName } from './journeys.js';

export type RightChange = readonly [
  name: string,
  journey: JourneyName,
  step: string,
  change: Change,
  /** Where it is right; in both where absent. */
  profile?: Profile,
];

const requests: readonly RightChange[] = [
  [
    'in capitals',
    'ais',
    'read consent',
    { header: 'X-Request-ID', to: '0B6E1C52-6A39-4F0E-9D1C-7F3A52C4E801' },
  ],
  [
    'with a charset',
    'ais',
    'create consent',
    { header: 'Content-Type', to: 'application/json; charset=UTF-8' },
  ],
  ['next to a private range', 'ais', 'create consent', { header: 'PSU-IP-Address', to: '172.32.0.1' }],
  ['of a carrier', 'ais', 'read account', { header: 'PSU-IP-Address', to: '100.64.0.1' }],
  ['of IPv6', 'pis', 'create payment', { header: 'PSU-IP-Address', to: '2001:db8:1::7' }],
  ['anything', 'ais', 'list accounts', { header: 'Accept', to: '*/*' }],
  [
    'JSON among others',
    'ais',
    'read balances',
    { header: 'Accept', to: 'text/plain, application/json;q=0.1' },
  ],
  ['camt, which a bank may offer', 'ais', 'read transactions', { header: 'Accept', to: 'application/xml' }],
  ['a page, of the browser', 'ais', 'authorize', { header: 'Accept', to: 'text/html' }],
  ...(['nonce', 'prompt', 'login_hint', 'ui_locales', 'acr_values', 'resource', 'claims'] as const).map(
    (query): RightChange => [`a registered ${query}`, 'ais', 'authorize', { query, to: 'x' }],
  ),
];

const accounts: readonly RightChange[] = [
  ['the second page', 'ais explicit', 'read transactions', { query: 'page', to: '1' }],
  [
    'the link of the account, completed',
    'ais explicit',
    'read transactions',
    { query: 'dateFrom', to: null },
  ],
  ['a year back, seconds after the SCA', 'ais', 'read transactions', { query: 'dateFrom', to: '{day-365}' }],
];

const certificates: readonly RightChange[] = [
  ['another of the same TPP', 'ais', 'list accounts', { cert: 'good too' }],
  ['an authority with accents', 'ais', 'list accounts', { cert: 'a name with accents' }],
  ['disclosed in French', 'pis', 'create payment', { cert: 'disclosure in French' }],
  ['a newer statement', 'ais', 'list accounts', { cert: 'a newer statement' }],
  ['of two years, by its policy', 'piis', 'confirm funds', { cert: 'two years by policy' }],
];

const returnAddresses: readonly RightChange[] = [
  ['of an app', 'ais', 'create consent', { returnTo: 'com.tpp.app://callback' }],
  ['of an app, with one slash', 'pis', 'create payment', { returnTo: 'com.tpp.app:/callback' }],
  ['of an app, with a query', 'ais explicit', 'create consent', { returnTo: 'com.tpp.app://cb?from=bank' }],
  ['of an app, by the direct link', 'pis direct', 'create payment', { returnTo: 'com.tpp.app:/callback' }],
  ['on this machine', 'ais', 'create consent', { returnTo: 'http://127.0.0.1:3000/back' }],
  ['on this machine, by IPv6', 'pis', 'create payment', { returnTo: 'http://[::1]:3000/back' }],
  [
    'with an encoded number sign',
    'ais',
    'create consent',
    { returnTo: 'https://tpp.example/back?x=%23done' },
  ],
];

const consents: readonly RightChange[] = [
  [
    'accounts by name',
    'ais',
    'create consent',
    {
      json: 'access',
      to: { accounts: [{ iban: 'BE68539007547034', currency: 'EUR' }], balances: [{ bban: '1' }] },
    },
  ],
  [
    'empty lists beside all accounts',
    'ais',
    'create consent',
    { json: 'access', to: { allPsd2: 'allAccounts', accounts: [], balances: [], transactions: [] } },
  ],
  [
    'null beside all accounts',
    'ais',
    'create consent',
    { json: 'access', to: { allPsd2: 'allAccounts', accounts: null } },
  ],
  [
    'empty lists alone',
    'ais',
    'create consent',
    { json: 'access', to: { accounts: [], balances: [], transactions: [] } },
  ],
];

/** By what the change is about. */
export const RIGHT: Readonly<Record<string, readonly RightChange[]>> = {
  'the certificate': certificates,
  'requests of any kind': requests,
  'reads of accounts': accounts,
  'where the PSU comes back to': returnAddresses,
  'what a consent asks for': consents,
};
