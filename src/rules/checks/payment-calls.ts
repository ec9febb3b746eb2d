/** The product in the path of a call about payments. */
import type { Call } from '../../exchange/index.js';
import { ownerOf, paymentOf } from '../../ledger/index.js';
import {
  PAYMENT_PRODUCTS,
  type PaymentProduct,
  type ProductCode,
  SANDBOX_PAYMENTS,
} from '../../spec/index.js';
import type { CallContext } from '../rule.js';

/** The two product codes of the sandbox ids stand for the three spellings; undefined for any other. */
function productCode(product: string | undefined): ProductCode | undefined {
  return product !== undefined && Object.hasOwn(PAYMENT_PRODUCTS, product)
    ? PAYMENT_PRODUCTS[product as PaymentProduct]
    : undefined;
}

/** The code of the product in the path; undefined where service or product is for payments/product-known. */
export function productInPath({ params }: Call): ProductCode | undefined {
  return params.paymentService === 'payments' ? productCode(params.paymentProduct) : undefined;
}

/** The product that the payment in the path was initiated with; the two spellings of cross-border transfers are one. */
export function productOfPayment({
  call,
  ledger,
  options,
}: Pick<CallContext, 'call' | 'ledger' | 'options'>): ProductCode | undefined {
  const id = call.params.paymentId ?? '';
  const payment = paymentOf(ledger, ownerOf(call), id);
  if (payment !== undefined) return productCode(payment.product);
  return options.profile === 'sandbox' ? SANDBOX_PAYMENTS.get(id)?.product : undefined;
}
