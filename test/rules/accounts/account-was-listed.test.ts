import rule from '../../../src/rules/accounts/account-was-listed.js';
import { aConsent, aLedger } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const read = (accountId: string) => ({
  operation: 'accounts.balances' as const,
  params: { accountId },
  headers: { 'Consent-Id': 'C1' },
});

testRule(rule, {
  complies: {
    'in the list': {
      call: read('ACC1'),
      ledger: aLedger({ consents: aConsent({ accounts: ['ACC1', 'ACC2'] }) }),
    },
  },
  violates: {
    'not in the list': {
      call: read('BE68539007547034'),
      ledger: aLedger({ consents: aConsent({ accounts: ['ACC1'] }) }),
      finds: [
        {
          place: 'path accountId',
          expected: 'a resourceId, not an IBAN, that GET /accounts listed under consent C1',
          actual: 'BE68539007547034',
        },
      ],
    },
    'no IBAN, and not in the list': {
      call: read('ACC2'),
      ledger: aLedger({ consents: aConsent({ accounts: ['ACC1'] }) }),
      finds: [{ expected: 'an account that GET /accounts listed under consent C1', actual: 'ACC2' }],
    },
  },
  notApplicable: {
    'the list itself': { call: { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } } },
    'no consent': { call: { operation: 'accounts.read' } },
  },
  notObserved: {
    'the list was longer than what is remembered of it': {
      call: read('ACC501'),
      ledger: aLedger({ consents: aConsent({ accounts: ['ACC1'], moreAccounts: true }) }),
    },
    'no list was read': { call: read('ACC1'), ledger: aLedger({ consents: aConsent() }) },
    'an unknown consent': { call: read('ACC1') },
  },
});
