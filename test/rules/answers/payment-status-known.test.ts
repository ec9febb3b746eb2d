import rule from '../../../src/rules/answers/payment-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'payments.status' } as const;

testRule(rule, {
  complies: [
    { name: 'RCVD', call, answer: { body: { transactionStatus: 'RCVD' } } },
    { name: 'PATC', call, answer: { body: { transactionStatus: 'PATC' } } },
    { name: 'ACCC, which is tolerated', call, answer: { body: { transactionStatus: 'ACCC' } } },
    { name: 'ACFC, which is tolerated', call, answer: { body: { transactionStatus: 'ACFC' } } },
    { name: 'PART, which is tolerated', call, answer: { body: { transactionStatus: 'PART' } } },
  ],
  violates: [
    {
      name: 'ACCEPTED',
      call,
      answer: { body: { transactionStatus: 'ACCEPTED' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'ACCEPTED' }],
    },
    {
      name: 'rcvd',
      call,
      answer: { body: { transactionStatus: 'rcvd' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'rcvd' }],
    },
    {
      name: 'AcceptedSettlementCompleted',
      call,
      answer: { body: { transactionStatus: 'AcceptedSettlementCompleted' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'AcceptedSettlementCompleted' }],
    },
    { name: 'a name of every object', call, answer: { body: { transactionStatus: 'constructor' } } },
  ],
  notApplicable: [
    { name: 'an empty status is another finding', call, answer: { body: { transactionStatus: '' } } },
    { name: 'no status is another finding', call, answer: { body: {} } },
    { name: 'a status that is no text', call, answer: { body: { transactionStatus: 1 } } },
    { name: 'an error', call, answer: { status: 403, body: { transactionStatus: 'x' } } },
    {
      name: 'an operation without it',
      call: { operation: 'accounts.list' },
      answer: { body: { transactionStatus: 'x' } },
    },
  ],
});
