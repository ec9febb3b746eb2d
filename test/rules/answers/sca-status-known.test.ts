import rule from '../../../src/rules/answers/sca-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'consents.authorisations.read' } as const;

testRule(rule, {
  complies: [
    { name: 'finalised', call, answer: { body: { scaStatus: 'finalised' } } },
    { name: 'exempted', call, answer: { body: { scaStatus: 'exempted' } } },
    { name: 'unconfirmed, which is tolerated', call, answer: { body: { scaStatus: 'unconfirmed' } } },
  ],
  violates: [
    {
      name: 'finalized',
      call,
      answer: { body: { scaStatus: 'finalized' } },
      finds: [{ place: 'answer body scaStatus', actual: 'finalized' }],
    },
    {
      name: 'FAILED',
      call,
      answer: { body: { scaStatus: 'FAILED' } },
      finds: [{ place: 'answer body scaStatus', actual: 'FAILED' }],
    },
    { name: 'a name of every object', call, answer: { body: { scaStatus: 'constructor' } } },
  ],
  notApplicable: [
    { name: 'an empty status is another finding', call, answer: { body: { scaStatus: '' } } },
    { name: 'no status is another finding', call, answer: { body: {} } },
    { name: 'a status that is no text', call, answer: { body: { scaStatus: 1 } } },
    { name: 'an error', call, answer: { status: 403, body: { scaStatus: 'x' } } },
    {
      name: 'an operation without it',
      call: { operation: 'accounts.list' },
      answer: { body: { scaStatus: 'x' } },
    },
  ],
});
