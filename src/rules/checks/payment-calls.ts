/** The product in the path of a call about payments. */
import { ownerOf, paymentOf } from '../../ledger/index.js';
import { PAYMENT_SERVICES, type ProductCode, SANDBOX_PAYMENTS } from '../../spec/index.js';
import type { CallContext } from '../rule.js';

/** The code of the product in the path; undefined where service or product is for payments/product-known. */
export function productInPath({
  call: { params },
  options: { dialect },
}: Pick<CallContext, 'call' | 'options'>): ProductCode | undefined {
  return dialect.productOf(params.paymentService, params.paymentProduct)?.code;
}

/** The product that the payment in the path was initiated with; the two spellings of cross-border transfers are one. */
export function productOfPayment({
  call,
  ledger,
  options,
}: Pick<CallContext, 'call' | 'ledger' | 'options'>): ProductCode | undefined {
  const id = call.params.paymentId ?? '';
  const payment = paymentOf(ledger, ownerOf(call), id);
  if (payment !== undefined)
    return PAYMENT_SERVICES.map((service) => options.dialect.productOf(service, payment.product)).find(
      (product) => product !== undefined,
    )?.code;
  return options.profile === 'sandbox' ? SANDBOX_PAYMENTS.get(id)?.product : undefined;
}

export const isPeriodic = ({ params }: Pick<CallContext['call'], 'params'>): boolean =>
  params.paymentService === 'periodic-payments';
