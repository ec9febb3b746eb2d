import { createLedger, keyOf, type LedgerChange } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/answers/limit-not-early.js';
import { NOW, TPP } from '../../builders.js';
import { testRule } from '../rule-tester.js';
import { aConsentFact } from './facts.js';

const CONSENT = 'c0ffee00-0000-4000-8000-000000000001';
const call = { operation: 'accounts.list', headers: { 'Consent-Id': CONSENT } } as const;
const exceeded = { status: 429, body: { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] } };

/** A ledger with so many accesses, minutes ago, and the consent with its frequency. */
function used(count: number, frequencyPerDay = 4, at = NOW - 3_600_000, id: string = CONSENT) {
  const times = Array.from({ length: count }, (_, i) => at + i * 60_000);
  const changes: LedgerChange[] = [
    { family: 'consents', key: keyOf.resource(TPP, id), fact: aConsentFact({ id, frequencyPerDay }) },
    {
      family: 'accesses',
      key: keyOf.access(TPP, id, 'accounts.list', ''),
      fact: { tpp: TPP, consentId: id, operation: 'accounts.list', accountId: '', times },
    },
  ];
  return createLedger(changes);
}

testRule(rule, {
  complies: {
    'four accesses are used': { call, answer: exceeded, ledger: used(4) },
    'the one access of the consent is used': { call, answer: exceeded, ledger: used(1, 1) },
    'never more than four, whatever the consent says': { call, answer: exceeded, ledger: used(4, 10) },
  },
  violates: {
    'four of six are used': {
      bank: { limits: { accesses: { number: 6 } } },
      call,
      answer: exceeded,
      ledger: used(4, 6),
      finds: [{ actual: 'a body with ACCESS_EXCEEDED after 4 of 6 accesses' }],
    },
    'three of four are used': {
      call,
      answer: exceeded,
      ledger: used(3),
      finds: [{ place: 'answer body', actual: 'a body with ACCESS_EXCEEDED after 3 of 4 accesses' }],
    },
    'the accesses were yesterday': { call, answer: exceeded, ledger: used(4, 4, NOW - 86_400_000) },
    'the PSU is there': {
      call: { ...call, headers: { ...call.headers, 'PSU-IP-Address': '2001:db8::1' } },
      answer: exceeded,
      ledger: used(4),
      finds: [{ actual: 'a body with ACCESS_EXCEEDED to a call with PSU-IP-Address' }],
    },
    'a sandbox id, of which everything is known': {
      call: { ...call, headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
      answer: exceeded,
    },
    'said by a problem, of another account': {
      call: { operation: 'accounts.balances', headers: call.headers },
      answer: { status: 429, body: { type: 'x', code: 'ACCESS_EXCEEDED' } },
      ledger: used(4),
    },
  },
  notApplicable: {
    'an answer': { call, answer: { status: 200, body: { accounts: [] } }, ledger: used(4) },
    'another error': { call, answer: { status: 401, body: { tppMessages: [{ code: 'TOKEN_EXPIRED' }] } } },
    'a limit of the gateway itself': { call, answer: { ...exceeded, source: 'rule' } },
    'an operation that is not counted': { answer: exceeded },
  },
  notObserved: {
    'a consent whose creation was not seen': { call, answer: exceeded },
    'a consent of the sandbox under profile production is like any other': {
      call: { ...call, headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
      answer: exceeded,
      options: { profile: 'production' },
    },
    'a sandbox id in a recording that began later': {
      call: { ...call, headers: { 'Consent-Id': 'VALID_CONSENT_ID' } },
      answer: exceeded,
      ledger: Object.assign(createLedger(), { beganLater: true as const }),
    },
    'three of four, where nobody knows what a snapshot held': {
      call,
      answer: exceeded,
      ledger: Object.assign(used(3), { isPartial: true as const }),
    },
  },
});
