/** Reads a posted payment and checks it against the accounts of the bank. */
import {
  type Account,
  accountNamed,
  type BankPayment,
  exchanged,
  minorUnits,
  namesNobody,
  type Population,
  sidesOf,
} from '../../bank/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import {
  crossBorderPaymentRequest,
  PAYMENT_PRODUCTS,
  type PaymentProduct,
  paymentForms,
  paymentRequest,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';

type Asked = Pick<BankPayment, 'body' | 'amount' | 'currency' | 'debtor' | 'creditor'>;

/** Far above any single payment; in bytes. What was posted is remembered. */
const MOST_BYTES = 16_384;

/** The payment, or its refusal (readings `payment-debtor` and `payment-currency`). */
export function readPaymentRequest(
  call: Call,
  product: PaymentProduct,
  population: Population,
): Asked | Answer {
  const { content } = call;
  const schema = PAYMENT_PRODUCTS[product] === 'SCT' ? paymentRequest : crossBorderPaymentRequest;
  if ((call.request.body?.size ?? 0) > MOST_BYTES)
    return refuse(call, 'FORMAT_ERROR', { text: `A payment has at most ${MOST_BYTES} bytes.` });
  const body = content.kind === 'json' ? withoutNulls(content.value) : undefined;
  const request = schema.safeParse(body).data;
  if (request === undefined || typeof body !== 'object' || body === null) return refuse(call, 'FORMAT_ERROR');
  const malformed = paymentForms.safeParse(body).error?.issues[0];
  if (malformed !== undefined) {
    const path = malformed.path.join('.');
    return refuse(call, 'FORMAT_ERROR', { path, text: `${path} is to be ${malformed.message}.` });
  }
  const { currency } = request.instructedAmount;
  const amount = minorUnits(request.instructedAmount.amount, currency);
  if (amount === undefined || amount <= 0) {
    const text = `${currency} has no such amount: it is not above zero, has too many decimals, or is too large.`;
    return refuse(call, 'FORMAT_ERROR', { path: 'instructedAmount.amount', text });
  }
  const debtor = accountNamed(population, request.debtorAccount);
  const creditor = accountNamed(population, request.creditorAccount);
  const problem =
    (namesNobody(population, request.creditorAccount)
      ? noAccount(call, 'creditorAccount', 'AC03')
      : undefined) ??
    currencyProblem(call, 'debtorAccount', debtor, request.debtorAccount.currency) ??
    currencyProblem(call, 'creditorAccount', creditor, request.creditorAccount.currency) ??
    accountsProblem(call, { amount, currency }, debtor, creditor);
  if (problem !== undefined) return problem;
  return {
    body,
    amount,
    currency,
    debtor: debtor?.resourceId ?? null,
    creditor: creditor?.resourceId ?? null,
  };
}

/** Clients serialise unset members as null, which no member of the standard may be. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** A problem if a request names another currency than the account of this bank has. */
function currencyProblem(
  call: Call,
  side: 'debtorAccount' | 'creditorAccount',
  account: Account | undefined,
  currency: string | null | undefined,
): Answer | undefined {
  if (account === undefined || currency == null || currency === account.currency) return undefined;
  const text = `The account ${account.iban} is in ${account.currency}.`;
  return refuse(call, 'RESOURCE_UNKNOWN', { status: 400, path: `${side}.currency`, text });
}

/** `reason`: the code of ISO 20022. */
const noAccount = (call: Call, path: 'debtorAccount' | 'creditorAccount', reason: 'AC01' | 'AC03'): Answer =>
  refuse(call, 'RESOURCE_UNKNOWN', { status: 400, path, text: `The bank has no such account (${reason}).` });

function accountsProblem(
  call: Call,
  payment: Pick<BankPayment, 'amount' | 'currency'>,
  debtor: Account | undefined,
  creditor: Account | undefined,
): Answer | undefined {
  const path = 'debtorAccount';
  if (debtor === undefined || debtor.status === 'deleted') return noAccount(call, path, 'AC01');
  if (debtor.status === 'blocked')
    return refuse(call, 'RESOURCE_BLOCKED', { path, text: 'The account is blocked.' });
  if (debtor.resourceId === creditor?.resourceId)
    return refuse(call, 'PAYMENT_FAILED', {
      path: 'creditorAccount',
      text: 'Debtor and creditor are the same account.',
    });
  return amountProblem(call, payment, debtor, creditor);
}

function amountProblem(
  call: Call,
  payment: Pick<BankPayment, 'amount' | 'currency'>,
  debtor: Account,
  creditor: Account | undefined,
): Answer | undefined {
  const { amount, currency } = payment;
  const sides = sidesOf(payment, debtor.currency, creditor?.currency ?? null);
  if (sides === undefined) {
    const others = [...new Set([debtor.currency, creditor?.currency ?? debtor.currency])].join(' and ');
    const text = `The bank does not exchange ${currency} and ${others}.`;
    return refuse(call, 'PAYMENT_FAILED', { path: 'instructedAmount.currency', text });
  }
  const isNothing =
    exchanged(amount, currency, debtor.currency, 'nearest') === 0
      ? `The debtor account is in ${debtor.currency}: nothing would be debited.`
      : creditor !== undefined && sides.credited === 0
        ? `The creditor account is in ${creditor.currency}: nothing would be credited.`
        : null;
  if (isNothing !== null) {
    const text = `The amount is too small. ${isNothing}`;
    return refuse(call, 'PAYMENT_FAILED', { path: 'instructedAmount.amount', text });
  }
  return undefined;
}
