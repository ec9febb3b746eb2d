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
];

const accounts: readonly RightChange[] = [
  ['a year back, seconds after the SCA', 'ais', 'read transactions', { query: 'dateFrom', to: '{day-365}' }],
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

/** By what the change is about. */
export const RIGHT: Readonly<Record<string, readonly RightChange[]>> = {
  'requests of any kind': requests,
  'reads of accounts': accounts,
  'where the PSU comes back to': returnAddresses,
};
