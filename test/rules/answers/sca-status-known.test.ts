import rule from '../../../src/rules/answers/sca-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'consents.authorisations.read' } as const;

testRule(rule, {
  complies: {
    finalised: { call, answer: { body: { scaStatus: 'finalised' } } },
    exempted: { call, answer: { body: { scaStatus: 'exempted' } } },
    'unconfirmed, which is tolerated': { call, answer: { body: { scaStatus: 'unconfirmed' } } },
  },
  violates: {
    finalized: {
      call,
      answer: { body: { scaStatus: 'finalized' } },
      finds: [{ place: 'answer body scaStatus', actual: 'finalized' }],
    },
    FAILED: {
      call,
      answer: { body: { scaStatus: 'FAILED' } },
      finds: [{ place: 'answer body scaStatus', actual: 'FAILED' }],
    },
    'a name of every object': { call, answer: { body: { scaStatus: 'constructor' } } },
  },
  notApplicable: {
    'an empty status is another finding': { call, answer: { body: { scaStatus: '' } } },
    'no status is another finding': { call, answer: { body: {} } },
    'a status that is no text': { call, answer: { body: { scaStatus: 1 } } },
    'an error': { call, answer: { status: 403, body: { scaStatus: 'x' } } },
    'an operation without it': { call: { operation: 'accounts.list' }, answer: { body: { scaStatus: 'x' } } },
  },
});
