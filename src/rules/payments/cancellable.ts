import { isRepetition, ownerOf, paymentOf } from '../../ledger/index.js';
import { PAYMENT_STATUSES, SANDBOX_PAYMENTS } from '../../spec/index.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'payments/cancellable',
  statement: 'Only a payment that is not final is cancelled',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['payments.cancel'],
  why: 'A payment that is settled, rejected or cancelled cannot be cancelled; the bank answers CANCELLATION_INVALID.',
  fix: 'Read the status first, and cancel only while it is not final.',
  examples: {
    complies: 'DELETE …/payments/sepa-credit-transfers/PAYMENT_ID_RCVD_SCT',
    violates: 'DELETE …/payments/sepa-credit-transfers/PAYMENT_ID_ACSC_SCT',
  },
  check: (context) => {
    const { call, ledger, options, fingerprint } = context;
    const id = call.params.paymentId ?? '';
    const payment = paymentOf(ledger, ownerOf(call), id);
    // A literal id keeps the status that it names, whatever was done to it (reading `delete-sandbox-ids`).
    const literal = options.profile === 'sandbox' ? SANDBOX_PAYMENTS.get(id)?.status : undefined;
    const status = literal ?? payment?.status;
    if (status === undefined) return 'not-observed';
    if (!PAYMENT_STATUSES[status].final) return true;
    // How the SCA ended tells what the bank may have made of the payment, not what it has.
    if (literal === undefined && payment?.statusInferred === true) return 'not-observed';
    // A client that got no answer sends the very same call again.
    if (isRepetition(call, ledger, fingerprint)) return 'not-applicable';
    return violation('path paymentId', 'a payment that is not final', `a payment in status ${status}`);
  },
});
