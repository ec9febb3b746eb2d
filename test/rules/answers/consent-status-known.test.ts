import rule from '../../../src/rules/answers/consent-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'consents.status' } as const;

testRule(rule, {
  complies: [
    { name: 'valid', call, answer: { body: { consentStatus: 'valid' } } },
    { name: 'revokedByPsu', call, answer: { body: { consentStatus: 'revokedByPsu' } } },
    {
      name: 'partiallyAuthorised, which is tolerated',
      call,
      answer: { body: { consentStatus: 'partiallyAuthorised' } },
    },
  ],
  violates: [
    {
      name: 'VALID',
      call,
      answer: { body: { consentStatus: 'VALID' } },
      finds: [{ place: 'answer body consentStatus', actual: 'VALID' }],
    },
    {
      name: 'authorised',
      call,
      answer: { body: { consentStatus: 'authorised' } },
      finds: [{ place: 'answer body consentStatus', actual: 'authorised' }],
    },
    { name: 'a name of every object', call, answer: { body: { consentStatus: 'constructor' } } },
  ],
  notApplicable: [
    { name: 'an empty status is another finding', call, answer: { body: { consentStatus: '' } } },
    { name: 'no status is another finding', call, answer: { body: {} } },
    { name: 'a status that is no text', call, answer: { body: { consentStatus: 1 } } },
    { name: 'an error', call, answer: { status: 403, body: { consentStatus: 'x' } } },
    {
      name: 'an operation without it',
      call: { operation: 'accounts.list' },
      answer: { body: { consentStatus: 'x' } },
    },
  ],
});
