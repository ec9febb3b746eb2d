/** Payments: initiated, read, cancelled, and their authorisations. */
import { type Answer, type Call, JSON_TYPE, memberOf } from '../../exchange/index.js';
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
import { renderXml, XML_TYPE } from '../pain/write-xml.js';
import { prefersOverJson } from '../prefers.js';
import { answerJson, openReply, renderJson } from '../render.js';
import type { Bank, Handler, Handlers, Moment } from './bank.js';
import {
  approachHeader,
  approachOf,
  creationLinks,
  isExplicit,
  notificationSupport,
  type Subject,
  selfOf,
} from './creations.js';
import { flowStatus, LISTED_AUTHORISATIONS, listedAuthorisations, sandboxStatus } from './flows.js';
import { sandboxPayment, sandboxReport, sandboxXml } from './sandbox-payments.js';
import { beginWithCreation, continueFlow, startFlow } from './sandbox-sca.js';
import { isExemptAmount } from './sca-steps.js';
import { refusalByToken } from './token-first.js';

interface PaymentCall {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly product: ProductCode;
  readonly media: readonly string[];
}

export function createPaymentHandlers(bank: Bank): Handlers<'payments'> {
  const of = (handle: Parameters<typeof onPayment>[1]) => onPayment(bank, handle);
  const showStatus = (call: Call, scaStatus: ScaStatus | undefined) =>
    scaStatus === undefined
      ? refuse(call, 'RESOURCE_UNKNOWN')
      : answerJson(call, 'emulator', 200, { scaStatus });

  return {
    'payments.create': (call, moment) => createPayment(bank, call, moment),

    'payments.read': of((call, payment, { now }) => {
      const { product, status, media } = payment;
      const of = sandboxPayment(bank.data, product, call.params.paymentService, bankDayAt(now));
      const rendered = media.includes(JSON_TYPE)
        ? renderJson({ ...of, transactionStatus: status })
        : sandboxXml(bank.data, product, now);
      return openReply(call, { source: 'emulator', status: 200, rendered });
    }),

    'payments.status': of((call, { id, status, media }, { now }) => {
      const isReport = !media.includes(JSON_TYPE) && prefersOverJson(call.header.accept, XML_TYPE);
      const rendered = isReport
        ? renderXml(sandboxReport(id, status, now))
        : renderJson({ transactionStatus: status });
      return openReply(call, { source: 'emulator', status: 200, rendered });
    }),

    'payments.cancel': of((call, payment) => cancelPayment(bank, call, payment)),

    'payments.authorisations.create': of((call, { id, status, product }, moment) => {
      // PATC is what an explicit creation returns: it waits for its authorisation, the others had theirs.
      const waits = status === 'PATC' && paymentOf(moment.ledger, call.tpp, id)?.implicit !== true;
      if (!waits) return refuse(call, 'STATUS_INVALID');
      return startFlow(bank, call, moment, subjectOf(call, 'payment'), isExempt(bank, product));
    }),

    'payments.authorisations.update': of((call, { id, product }, moment) => {
      const subject = { ...subjectOf(call, 'payment'), scope: paymentScope(id) };
      return continueFlow(bank, call, subject, moment, isExempt(bank, product));
    }),

    'payments.cancellation-authorisations.create': of((call, { status }, moment) =>
      needsScaToCancel(status)
        ? startFlow(bank, call, moment, subjectOf(call, 'cancellation'))
        : refuse(call, 'STATUS_INVALID'),
    ),

    'payments.cancellation-authorisations.update': of((call, { id }, moment) =>
      continueFlow(bank, call, { ...subjectOf(call, 'cancellation'), ...cancellationOf(id) }, moment),
    ),

    'payments.authorisations.list': of((call, { id }, { ledger }) => {
      const authorisationIds = listedAuthorisations(paymentOf(ledger, call.tpp, id));
      return answerJson(call, 'emulator', 200, { authorisationIds });
    }),

    'payments.authorisations.read': of((call, { id }, moment) =>
      showStatus(call, flowStatus(moment, call, { scope: paymentScope(id) }) ?? sandboxStatus(call)),
    ),

    // Without a profile none is handed out: a payment is cancelled at once (reading `cancel-answer`).
    'payments.cancellation-authorisations.list': of((call) =>
      answerJson(call, 'emulator', 200, { authorisationIds: LISTED_AUTHORISATIONS }),
    ),
    'payments.cancellation-authorisations.read': of((call, { id }, moment) =>
      showStatus(call, flowStatus(moment, call, cancellationOf(id)) ?? sandboxStatus(call)),
    ),
  };
}

function createPayment(bank: Bank, call: Call, moment: Moment): Answer {
  const refusal = refusalByToken(bank, call, moment, 'PIS');
  if (refusal !== null) return refusal;
  const product = productOf(bank.links.dialect, call);
  if (product === undefined) return refuse(call, 'PRODUCT_UNKNOWN');
  const problem = currencyProblem(bank, call);
  if (problem !== undefined) return problem;
  const { links } = bank;
  const explicit = isExplicit(call, links.dialect, approachOf(links.dialect, call));
  const transactionStatus = explicit ? 'PATC' : 'RCVD';
  const paymentId: SandboxPaymentId = `PAYMENT_ID_${transactionStatus}_${product.code}`;
  const subject = subjectOf(call, 'payment', paymentId);
  const begun = beginWithCreation(bank, call, moment, subject, explicit);
  if ('status' in begun) return begun;
  const value = { transactionStatus, paymentId, ...begun.members, _links: begun._links };
  return answerJson(call, 'emulator', 201, value, [
    ['Location', selfOf(links, subject)],
    begun.header,
    ...notificationSupport(call),
  ]);
}

/** Under a profile with authorisations of cancellations, what was authorised is not cancelled without one. */
function cancelPayment({ links }: Bank, call: Call, { status }: PaymentCall): Answer {
  if (PAYMENT_STATUSES[status].final)
    return refuse(call, 'CANCELLATION_INVALID', {
      text: `The payment is final (${status}: ${PAYMENT_STATUSES[status].meaning}) and cannot be cancelled any more.`,
      headers: [['Allow', 'GET, HEAD']],
    });
  if (!links.dialect.offers('payments.cancellation-authorisations.create') || !needsScaToCancel(status))
    return openReply(call, { source: 'emulator', status: 204 });
  const approach = approachOf(links.dialect, call);
  const _links = creationLinks(links, call, subjectOf(call, 'cancellation'), approach);
  return answerJson(call, 'emulator', 202, { transactionStatus: status, _links }, [approachHeader(approach)]);
}

const cancellationOf = (id: string) => ({ scope: paymentScope(id), cancels: true }) as const;

const needsScaToCancel = (status: PaymentStatus): boolean =>
  !PAYMENT_STATUSES[status].final && status !== 'RCVD' && status !== 'PATC';

const isExempt = ({ data, links }: Bank, product: ProductCode): boolean =>
  isExemptAmount(links.dialect, data.payments[product].instructedAmount.amount);

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

/** In the spelling of the call. */
function subjectOf({ params }: Call, of: Subject['of'], paymentId = params.paymentId ?? ''): Subject {
  return { of, params: { ...params, paymentId } };
}

/** The product in the path; undefined where service or product are not offered (reading `product-unknown-status`). */
export function productOf(dialect: Dialect, { params }: Call): ProductRow | undefined {
  return dialect.productOf(params.paymentService, params.paymentProduct);
}

function onPayment(
  { links: { dialect } }: Bank,
  handle: (call: Call, payment: PaymentCall, moment: Moment) => Answer,
): Handler {
  return (call, moment) => {
    const product = productOf(dialect, call);
    if (product === undefined) return refuse(call, 'PRODUCT_UNKNOWN');
    const { paymentId: id = '', paymentProduct } = call.params;
    const payment = SANDBOX_PAYMENTS.get(id);
    if (payment === undefined) return refuse(call, 'RESOURCE_UNKNOWN', { status: 403 });
    if (payment.product !== product.code) {
      const text = `The payment ${id} is not one of the product ${paymentProduct}.`;
      return refuse(call, 'RESOURCE_UNKNOWN', { status: 403, text });
    }
    return handle(call, { id, ...payment, media: product.media }, moment);
  };
}
