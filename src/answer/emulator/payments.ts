/** Payments: initiated, read, cancelled, and their authorisations. */
import { type Answer, type Call, memberOf } from '../../exchange/index.js';
import { paymentOf } from '../../ledger/index.js';
import {
  bankDayAt,
  type Dialect,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type ProductCode,
  type ProductRow,
  paymentScope,
  plainIban,
  SANDBOX_PAYMENTS,
  type SandboxPaymentId,
  type ScaStatus,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson, openReply } from '../render.js';
import type { Bank, Handler, Handlers, Moment } from './bank.js';
import { answerStart, creationLinks, isExplicit, notificationSupport, REDIRECT } from './creations.js';
import { flowStatus, LISTED_AUTHORISATIONS, listedAuthorisations, openFlow, sandboxStatus } from './flows.js';
import { sandboxPayment } from './sandbox-payments.js';

interface PaymentCall {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly product: ProductCode;
  /** The payment's address in the spelling of the call. */
  readonly self: string;
}

export function createPaymentHandlers(bank: Bank): Handlers<'payments'> {
  const of = (handle: (call: Call, payment: PaymentCall, moment: Moment) => Answer): Handler =>
    onPayment(bank, handle);
  const showStatus = (call: Call, scaStatus: ScaStatus | undefined) =>
    scaStatus === undefined
      ? refuse(call, 'RESOURCE_UNKNOWN')
      : answerJson(call, 'emulator', 200, { scaStatus });

  return {
    'payments.create': (call) => createPayment(bank, call),

    'payments.read': of((call, { product, status }, { now }) => {
      const payment = sandboxPayment(bank.data, product, call.params.paymentService, bankDayAt(now));
      return answerJson(call, 'emulator', 200, { ...payment, transactionStatus: status });
    }),

    'payments.status': of((call, { status }) =>
      answerJson(call, 'emulator', 200, { transactionStatus: status }),
    ),

    'payments.cancel': of((call, { status }) =>
      PAYMENT_STATUSES[status].final
        ? refuse(call, 'CANCELLATION_INVALID', {
            text: `The payment is final (${status}: ${PAYMENT_STATUSES[status].meaning}) and cannot be cancelled any more.`,
            headers: [['Allow', 'GET, HEAD']],
          })
        : openReply(call, { source: 'emulator', status: 204 }),
    ),

    'payments.authorisations.update': (call) => refuse(call, 'SERVICE_INVALID'),
    'payments.cancellation-authorisations.create': (call) => refuse(call, 'SERVICE_INVALID'),
    'payments.cancellation-authorisations.update': (call) => refuse(call, 'SERVICE_INVALID'),
    'payments.authorisations.create': of((call, { id, status, self }, { ledger }) => {
      // PATC is what an explicit creation returns: it waits for its authorisation, the others had theirs.
      const waits = status === 'PATC' && paymentOf(ledger, call.tpp, id)?.implicit !== true;
      if (!waits) return refuse(call, 'STATUS_INVALID');
      return answerStart(bank.links, call, self, openFlow(bank, call));
    }),

    'payments.authorisations.list': of((call, { id }, { ledger }) => {
      const authorisationIds = listedAuthorisations(paymentOf(ledger, call.tpp, id));
      return answerJson(call, 'emulator', 200, { authorisationIds });
    }),

    'payments.authorisations.read': of((call, { id }, { ledger }) =>
      showStatus(call, flowStatus(ledger, call, paymentScope(id)) ?? sandboxStatus(call)),
    ),

    // None is handed out: a payment is cancelled at once (reading `cancel-answer`).
    'payments.cancellation-authorisations.list': of((call) =>
      answerJson(call, 'emulator', 200, { authorisationIds: LISTED_AUTHORISATIONS }),
    ),
    'payments.cancellation-authorisations.read': of((call) => showStatus(call, sandboxStatus(call))),
  };
}

function createPayment(bank: Bank, call: Call): Answer {
  const product = productOf(bank.links.dialect, call);
  if (product === undefined) return refuse(call, 'PRODUCT_UNKNOWN');
  const problem = currencyProblem(bank, call);
  if (problem !== undefined) return problem;
  const explicit = isExplicit(call);
  const transactionStatus = explicit ? 'PATC' : 'RCVD';
  const paymentId: SandboxPaymentId = `PAYMENT_ID_${transactionStatus}_${product.code}`;
  const self = selfOf(bank, call, paymentId);
  const _links = creationLinks(bank.links, self, explicit ? null : openFlow(bank, call));
  return answerJson(call, 'emulator', 201, { transactionStatus, paymentId, _links }, [
    ['Location', self],
    REDIRECT,
    ...notificationSupport(call),
  ]);
}

/** A problem if the request names an account of the sandbox with another currency (reading `debtor-currency`). */
function currencyProblem({ data }: Bank, call: Call): Answer | undefined {
  const debtor = call.content.kind === 'json' ? memberOf(call.content.value, 'debtorAccount') : undefined;
  const [iban, currency] = [memberOf(debtor, 'iban'), memberOf(debtor, 'currency')];
  if (typeof iban !== 'string' || typeof currency !== 'string') return undefined;
  const account = data.accounts.accounts.find((one) => one.iban === plainIban(iban));
  if (account === undefined || account.currency === currency) return undefined;
  const text = `The account ${account.iban} is in ${account.currency}.`;
  return refuse(call, 'RESOURCE_UNKNOWN', { status: 400, path: 'debtorAccount.currency', text });
}

/** The payment's address in the spelling of the call. */
function selfOf({ links }: Bank, { params }: Call, paymentId: string): string {
  return links.to('payments.read', { ...params, paymentId });
}

/** The product in the path; undefined where service or product are not offered (reading `product-unknown-status`). */
export function productOf(dialect: Dialect, { params }: Call): ProductRow | undefined {
  return dialect.productOf(params.paymentService, params.paymentProduct);
}

function onPayment(
  bank: Bank,
  handle: (call: Call, payment: PaymentCall, moment: Moment) => Answer,
): Handler {
  return (call, moment) => {
    const product = productOf(bank.links.dialect, call);
    if (product === undefined) return refuse(call, 'PRODUCT_UNKNOWN');
    const { paymentId: id = '', paymentProduct } = call.params;
    const payment = SANDBOX_PAYMENTS.get(id);
    if (payment === undefined) return refuse(call, 'RESOURCE_UNKNOWN', { status: 403 });
    if (payment.product !== product.code) {
      const text = `The payment ${id} is not one of the product ${paymentProduct}.`;
      return refuse(call, 'RESOURCE_UNKNOWN', { status: 403, text });
    }
    return handle(call, { id, ...payment, self: selfOf(bank, call, id) }, moment);
  };
}
