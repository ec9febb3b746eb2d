/** Reads a posted payment and checks it against the accounts of the bank. */
import {
  type Account,
  accountNamed,
  type BankPayment,
  calendarDateOf,
  exchanged,
  isFrequency,
  minorUnits,
  namesNobody,
  type Population,
  type StandingOrder,
  shownBody,
  sidesOf,
  standingOrderFrom,
} from '../../bank/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import {
  dayOf,
  PAYMENT_REQUESTS,
  type ProductRow,
  paymentForms,
  standingOrderForms,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { readPosted } from './posted-payment.js';

type Asked = Pick<
  BankPayment,
  'body' | 'amount' | 'currency' | 'debtor' | 'creditor' | 'standing' | 'parts' | 'sentAs'
>;

interface AskedIn {
  readonly call: Call;
  readonly product: ProductRow;
  readonly population: Population;
  readonly today: number;
}

/** Far above any single payment; in bytes. What was posted is remembered. */
const MOST_BYTES = 16_384;
/** Several payments may have more, and one in XML. */
const MOST_BYTES_OF_MORE = 24_576;
const MOST_PARTS = 100;

/** The payment, or its refusal (readings `payment-debtor` and `payment-currency`). */
export function readPaymentRequest(asked: AskedIn): Asked | Answer {
  const { call, product } = asked;
  const { service } = product;
  const isOneOfJson = call.content.kind === 'json' && service !== 'bulk-payments';
  const most = isOneOfJson ? MOST_BYTES : MOST_BYTES_OF_MORE;
  if ((call.request.body?.size ?? 0) > most)
    return refuse(call, 'FORMAT_ERROR', { text: `A payment has at most ${most} bytes.` });
  const posted = readPosted(call, product);
  if ('status' in posted) return posted;
  const read = readOrder(asked, posted.body);
  return 'status' in read || posted.sentAs === undefined ? read : { ...read, sentAs: posted.sentAs };
}

function readOrder(asked: AskedIn, body: object): Asked | Answer {
  const { call, product } = asked;
  const { service } = product;
  const bulk = PAYMENT_REQUESTS['bulk-payments'][product.code];
  if (service === 'bulk-payments') {
    const request = bulk.safeParse(body).data;
    return request === undefined ? refuse(call, 'FORMAT_ERROR') : readBulk(asked, body, request);
  }
  if (service === 'payments') return readSingle(asked, body, '');
  if (!PAYMENT_REQUESTS[service][product.code].safeParse(body).success) return refuse(call, 'FORMAT_ERROR');
  const single = readSingle(asked, body, '');
  if ('status' in single) return single;
  const standing = readStandingOrder(asked, body);
  return 'status' in standing ? standing : { ...single, standing };
}

/** `at`: where it stands in the request. */
function readSingle({ call, product, population }: AskedIn, body: object, at: string): Asked | Answer {
  const request = PAYMENT_REQUESTS.payments[product.code].safeParse(body).data;
  if (request === undefined) return refuse(call, 'FORMAT_ERROR');
  const { error } = paymentForms.safeParse(body);
  if (error !== undefined) return malformed(call, error, at);
  const { currency } = request.instructedAmount;
  const amount = minorUnits(request.instructedAmount.amount, currency);
  if (amount === undefined || amount <= 0) {
    const text = `${currency} has no such amount: it is not above zero, has too many decimals, or is too large.`;
    return refuse(call, 'FORMAT_ERROR', { path: `${at}instructedAmount.amount`, text });
  }
  const debtor = accountNamed(population, request.debtorAccount);
  const creditor = accountNamed(population, request.creditorAccount);
  const problem =
    (namesNobody(population, request.creditorAccount)
      ? noAccount(call, `${at}creditorAccount`, 'AC03')
      : undefined) ??
    currencyProblem(call, 'debtorAccount', debtor, request.debtorAccount.currency) ??
    currencyProblem(call, `${at}creditorAccount`, creditor, request.creditorAccount.currency) ??
    accountsProblem(call, { amount, currency }, debtor, creditor, at);
  if (problem !== undefined) return problem;
  return {
    body,
    amount,
    currency,
    debtor: debtor?.resourceId ?? null,
    creditor: creditor?.resourceId ?? null,
  };
}

interface BulkRequest {
  readonly debtorAccount: object;
  readonly payments: readonly object[];
  readonly requestedExecutionDate?: string | null | undefined;
}

/** Reading `bulk-payment-body`: all from one account, and in one currency. */
function readBulk(asked: AskedIn, body: object, request: BulkRequest): Asked | Answer {
  const { call } = asked;
  const { debtorAccount, payments, requestedExecutionDate: day } = request;
  if (payments.length > MOST_PARTS)
    return refuse(call, 'FORMAT_ERROR', {
      path: 'payments',
      text: `At most ${MOST_PARTS} payments are taken.`,
    });
  const common = { debtorAccount, ...(day == null ? {} : { requestedExecutionDate: day }) };
  const parts: Asked[] = [];
  for (const [nth, payment] of payments.entries()) {
    const part = readSingle(asked, { ...payment, ...common }, `payments[${nth}].`);
    if ('status' in part) return part;
    parts.push({ ...part, body: shownBody(part.body) });
  }
  const [{ currency, debtor } = { currency: '', debtor: null }] = parts;
  const other = parts.findIndex((part) => part.currency !== currency);
  if (other >= 0) {
    const path = `payments[${other}].instructedAmount.currency`;
    return refuse(call, 'FORMAT_ERROR', { path, text: 'All payments are to be in one currency.' });
  }
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  if (!Number.isSafeInteger(amount)) return refuse(call, 'FORMAT_ERROR', { path: 'payments' });
  return {
    ...{ body, amount, currency, debtor, creditor: null },
    parts: parts.map(({ body, amount, creditor }) => ({ body, amount, creditor })),
  };
}

function readStandingOrder({ call, today }: AskedIn, body: object): StandingOrder | Answer {
  const { data: form, error } = standingOrderForms.safeParse(body);
  if (error !== undefined) return malformed(call, error, '');
  const { frequency, executionRule: rule = 'following', startDate, endDate, dayOfExecution } = form;
  const start = dayOf(Date.parse(startDate));
  const months = form.monthsOfExecution?.map(Number);
  const problem = (path: string, text: string) => refuse(call, 'FORMAT_ERROR', { path, text });
  if (!isFrequency(frequency)) return problem('frequency', 'The bank knows no such frequency.');
  if (start < today) return problem('startDate', 'startDate has passed.');
  if (frequency === 'MonthlyVariable' && months === undefined)
    return problem('monthsOfExecution', 'MonthlyVariable needs monthsOfExecution.');
  const order = standingOrderFrom(
    {
      ...{ frequency, rule, start },
      end: endDate === undefined ? null : dayOf(Date.parse(endDate)),
      dayOfMonth: dayOfExecution === undefined ? calendarDateOf(start).date : Number(dayOfExecution),
      ...(months === undefined ? {} : { months }),
    },
    today,
  );
  return order ?? problem('endDate', 'No payment falls between startDate and endDate.');
}

interface Malformed {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** A refusal that names the first member whose form is wrong. */
function malformed(call: Call, { issues: [issue] }: Malformed, at: string): Answer {
  const path = `${at}${issue?.path.join('.') ?? ''}`;
  return refuse(call, 'FORMAT_ERROR', { path, text: `${path} is to be ${issue?.message}.` });
}

/** A problem if a request names another currency than the account of this bank has. */
function currencyProblem(
  call: Call,
  side: string,
  account: Account | undefined,
  currency: string | null | undefined,
): Answer | undefined {
  if (account === undefined || currency == null || currency === account.currency) return undefined;
  const text = `The account ${account.iban} is in ${account.currency}.`;
  return refuse(call, 'RESOURCE_UNKNOWN', { status: 400, path: `${side}.currency`, text });
}

/** `reason`: the code of ISO 20022. */
const noAccount = (call: Call, path: string, reason: 'AC01' | 'AC03'): Answer =>
  refuse(call, 'RESOURCE_UNKNOWN', { status: 400, path, text: `The bank has no such account (${reason}).` });

function accountsProblem(
  call: Call,
  payment: Pick<BankPayment, 'amount' | 'currency'>,
  debtor: Account | undefined,
  creditor: Account | undefined,
  at: string,
): Answer | undefined {
  const path = 'debtorAccount';
  if (debtor === undefined || debtor.status === 'deleted') return noAccount(call, path, 'AC01');
  if (debtor.status === 'blocked')
    return refuse(call, 'RESOURCE_BLOCKED', { path, text: 'The account is blocked.' });
  if (debtor.resourceId === creditor?.resourceId)
    return refuse(call, 'PAYMENT_FAILED', {
      path: `${at}creditorAccount`,
      text: 'Debtor and creditor are the same account.',
    });
  return amountProblem(call, payment, debtor, creditor, at);
}

function amountProblem(
  call: Call,
  payment: Pick<BankPayment, 'amount' | 'currency'>,
  debtor: Account,
  creditor: Account | undefined,
  at: string,
): Answer | undefined {
  const { amount, currency } = payment;
  const sides = sidesOf(payment, debtor.currency, creditor?.currency ?? null);
  if (sides === undefined) {
    const others = [...new Set([debtor.currency, creditor?.currency ?? debtor.currency])].join(' and ');
    const text = `The bank does not exchange ${currency} and ${others}.`;
    return refuse(call, 'PAYMENT_FAILED', { path: `${at}instructedAmount.currency`, text });
  }
  const isNothing =
    exchanged(amount, currency, debtor.currency, 'nearest') === 0
      ? `The debtor account is in ${debtor.currency}: nothing would be debited.`
      : creditor !== undefined && sides.credited === 0
        ? `The creditor account is in ${creditor.currency}: nothing would be credited.`
        : null;
  if (isNothing !== null) {
    const text = `The amount is too small. ${isNothing}`;
    return refuse(call, 'PAYMENT_FAILED', { path: `${at}instructedAmount.amount`, text });
  }
  return undefined;
}
