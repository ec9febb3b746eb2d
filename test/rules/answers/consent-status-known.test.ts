import rule from '../../../src/rules/answers/consent-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'consents.status' } as const;

testRule(rule, {
  complies: {
    valid: { call, answer: { body: { consentStatus: 'valid' } } },
    revokedByPsu: { call, answer: { body: { consentStatus: 'revokedByPsu' } } },
    'partiallyAuthorised, which is tolerated': {
      call,
      answer: { body: { consentStatus: 'partiallyAuthorised' } },
    },
  },
  violates: {
    VALID: {
      call,
      answer: { body: { consentStatus: 'VALID' } },
      finds: [{ place: 'answer body consentStatus', actual: 'VALID' }],
    },
    authorised: {
      call,
      answer: { body: { consentStatus: 'authorised' } },
      finds: [{ place: 'answer body consentStatus', actual: 'authorised' }],
    },
    'a name of every object': { call, answer: { body: { consentStatus: 'constructor' } } },
  },
  notApplicable: {
    'an empty status is another finding': { call, answer: { body: { consentStatus: '' } } },
    'no status is another finding': { call, answer: { body: {} } },
    'a status that is no text': { call, answer: { body: { consentStatus: 1 } } },
    'an error': { call, answer: { status: 403, body: { consentStatus: 'x' } } },
    'an operation without it': {
      call: { operation: 'accounts.list' },
      answer: { body: { consentStatus: 'x' } },
    },
  },
});
