/** The calls about payments, and what the product in their path says. */
import type { Call } from '../../exchange/index.js';
import {
  OPERATION_IDS,
  type OperationId,
  operationRow,
  PAYMENT_PRODUCTS,
  type PaymentProduct,
  type ProductCode,
} from '../../spec/index.js';

export const PAYMENT_CALLS: readonly OperationId[] = OPERATION_IDS.filter(
  (id) => operationRow(id).group === 'payments',
);

/** Those with the id of a payment in the path. */
export const CALLS_ON_A_PAYMENT: readonly OperationId[] = PAYMENT_CALLS.filter(
  (id) => id !== 'payments.create',
);

/** The two product codes of the sandbox ids stand for the three spellings; undefined for any other. */
export function productCode(product: string | undefined): ProductCode | undefined {
  return product !== undefined && Object.hasOwn(PAYMENT_PRODUCTS, product)
    ? PAYMENT_PRODUCTS[product as PaymentProduct]
    : undefined;
}

/** The code of the product in the path; undefined where service or product is for payments/product-known. */
export function productInPath({ params }: Call): ProductCode | undefined {
  return params.paymentService === 'payments' ? productCode(params.paymentProduct) : undefined;
}
