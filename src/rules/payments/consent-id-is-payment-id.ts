import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/consent-id-is-payment-id',
  statement: "Consent-Id on a payment call, if sent, is the payment's id",
  clauses: ['payments.consent-id'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ on }) => on === 'payment',
  why: 'A consent id on a payment call shows that two flows are mixed up.',
  fix: 'Send the id of the payment, or leave the header out.',
  examples: {
    complies: 'Consent-Id: PAYMENT_ID_RCVD_SCT, on …/PAYMENT_ID_RCVD_SCT/status',
    violates: 'Consent-Id: VALID_CONSENT_ID, on …/PAYMENT_ID_RCVD_SCT/status',
  },
  check: ({ call }) => {
    const sent = call.header['consent-id'];
    if (sent === undefined) return 'not-applicable';
    const id = call.params.paymentId ?? '';
    return sent === id || violation('header Consent-Id', id, sent || 'an empty value');
  },
});
