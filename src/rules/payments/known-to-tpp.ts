import { mayBeUnseen, paymentOf } from '../../ledger/index.js';
import { SANDBOX_PAYMENTS } from '../../spec/index.js';
import { mistakenInPath } from '../checks/mistaken-ids.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/known-to-tpp',
  statement: 'The payment in the path was created by this TPP (or is a sandbox id)',
  clauses: [
    'endpoint.payments.read',
    'endpoint.payments.status',
    'endpoint.payments.cancel',
    'endpoint.payments.authorisations.list',
    'endpoint.payments.authorisations.read',
    'endpoint.payments.cancellation-authorisations.list',
    'endpoint.payments.cancellation-authorisations.read',
    'sandbox-ids.payments',
  ],
  sources: ['BG'],
  appliesTo: ({ on }) => on === 'payment',
  needs: ['tpp'],
  refusal: { code: 'RESOURCE_UNKNOWN', status: 403 },
  why: 'A payment belongs to the TPP that initiated it; for any other it does not exist.',
  fix: 'Use the paymentId of your own initiation, with the certificate of the same organisation.',
  examples: {
    complies: 'GET …/payments/sepa-credit-transfers/PAYMENT_ID_ACSC_SCT (sandbox)',
    violates:
      'GET …/payments/sepa-credit-transfers/P, where P was initiated by another organisation, or never',
  },
  check: (context) => {
    const { call, ledger, options } = context;
    const id = call.params.paymentId ?? '';
    if (paymentOf(ledger, call.tpp, id) !== undefined) return true;
    if (options.profile === 'sandbox' && SANDBOX_PAYMENTS.has(id)) return true;
    if (mistakenInPath(context) !== undefined) return 'not-applicable';
    if (mayBeUnseen(ledger, 'payments', id)) return 'not-observed';
    return violation('path paymentId', 'a payment that this TPP initiated', id);
  },
});
