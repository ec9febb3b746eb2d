import rule from '../../../src/rules/answers/callback-body.js';
import { testRule } from '../rule-tester.js';

const callback = (body: unknown) =>
  ({ listener: 'callback', method: 'POST', target: '/tpp/notify', body }) as const;

testRule(rule, {
  complies: [
    {
      name: 'both members',
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'ACSC' }),
      answer: { status: 204 },
    },
    {
      name: 'a tolerated status',
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'ACCC' }),
      answer: { status: 500 },
    },
  ],
  violates: [
    {
      name: 'the spelling of the simulation request',
      call: callback({ paymentId: 'P1', status: 'ACSC' }),
      finds: [{ place: 'body payment-ID' }, { place: 'body transactionStatus', actual: 'absent' }],
    },
    {
      name: 'an unknown status',
      call: callback({ 'payment-ID': 'P1', transactionStatus: 'DONE' }),
      finds: [{ place: 'body transactionStatus', actual: 'DONE' }],
    },
    { name: 'no body', call: callback(undefined), finds: [{ actual: 'absent' }] },
    { name: 'no JSON', call: callback('{'), finds: [{ expected: 'a JSON body' }] },
  ],
  notApplicable: [
    {
      name: 'a call of the TPP',
      call: { operation: 'notifications.simulate', body: { status: 'DONE' } },
      answer: { status: 202 },
    },
  ],
});
