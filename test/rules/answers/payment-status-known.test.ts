import rule from '../../../src/rules/answers/payment-status-known.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'payments.status' } as const;

testRule(rule, {
  complies: {
    RCVD: { call, answer: { body: { transactionStatus: 'RCVD' } } },
    PATC: { call, answer: { body: { transactionStatus: 'PATC' } } },
    'ACCC, which is tolerated': { call, answer: { body: { transactionStatus: 'ACCC' } } },
    'ACFC, which is tolerated': { call, answer: { body: { transactionStatus: 'ACFC' } } },
    'PART, which is tolerated': { call, answer: { body: { transactionStatus: 'PART' } } },
  },
  violates: {
    ACCEPTED: {
      call,
      answer: { body: { transactionStatus: 'ACCEPTED' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'ACCEPTED' }],
    },
    rcvd: {
      call,
      answer: { body: { transactionStatus: 'rcvd' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'rcvd' }],
    },
    AcceptedSettlementCompleted: {
      call,
      answer: { body: { transactionStatus: 'AcceptedSettlementCompleted' } },
      finds: [{ place: 'answer body transactionStatus', actual: 'AcceptedSettlementCompleted' }],
    },
    'a name of every object': { call, answer: { body: { transactionStatus: 'constructor' } } },
  },
  notApplicable: {
    'an empty status is another finding': { call, answer: { body: { transactionStatus: '' } } },
    'no status is another finding': { call, answer: { body: {} } },
    'a status that is no text': { call, answer: { body: { transactionStatus: 1 } } },
    'an error': { call, answer: { status: 403, body: { transactionStatus: 'x' } } },
    'an operation without it': {
      call: { operation: 'accounts.list' },
      answer: { body: { transactionStatus: 'x' } },
    },
  },
});
