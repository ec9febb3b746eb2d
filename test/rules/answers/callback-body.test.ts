import rule from '../../../src/rules/answers/callback-body.js';
import { testRule } from '../rule-tester.js';

const callback = (body: unknown) =>
  ({ listener: 'callback', method: 'POST', target: '/tpp/notify', body }) as const;

testRule(rule, {
  complies: {
    'both members': {
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'ACSC' }),
      answer: { status: 204 },
    },
    'a tolerated status': {
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'ACCC' }),
      answer: { status: 500 },
    },
  },
  violates: {
    'the spelling of the simulation request': {
      call: callback({ paymentId: 'P1', status: 'ACSC' }),
      finds: [{ place: 'body payment-ID' }, { place: 'body transactionStatus', actual: 'absent' }],
    },
    'an unknown status': {
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'DONE' }),
      finds: [{ place: 'body transactionStatus', actual: 'DONE' }],
    },
    'no body': { call: callback(undefined), finds: [{ actual: 'absent' }] },
    'no JSON': { call: callback('{'), finds: [{ expected: 'a JSON body' }] },
  },
  notApplicable: {
    'a call of the TPP': {
      call: { operation: 'notifications.simulate', body: { status: 'DONE' } },
      answer: { status: 202 },
    },
  },
});
