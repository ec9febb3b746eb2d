/** Payments: initiated, authorised, read and cancelled; in statuses that follow from what happened to them. */
import {
  authorisationChange,
  awaitsAuthorisation,
  type BankAuthorisation,
  type BankPayment,
  cancelPayment,
  codeOf,
  hasEnded,
  newPayment,
  openAuthorisation,
  paymentChange,
  paymentStatusAt,
  rejection,
  scaStatusAt,
  serviceOf,
  startAuthorisation,
} from '../../bank/index.js';
import type { Call } from '../../exchange/index.js';
import { bankDayAt, PAYMENT_STATUSES, SCA_STATUSES, type ScaApproach } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import type { Answered } from '../answerer.js';
import {
  approachHeader,
  approachOf,
  authorisationLinks,
  creationLinks,
  creationMembers,
  isExplicit,
  ownLinks,
  type Subject,
  selfOf,
} from '../emulator/creations.js';
import { productOf } from '../emulator/payments.js';
import { renderXml, XML_TYPE } from '../pain/write-xml.js';
import { prefersOverJson } from '../prefers.js';
import { answerJson, openReply, renderJson } from '../render.js';
import { refusalOfCreation } from './account-access.js';
import type { LivingBank, LivingHandler, LivingHandlers, LivingMoment } from './living.js';
import { addressesIn, MOST_AUTHORISATIONS } from './openings.js';
import { readPaymentRequest } from './payment-request.js';
import { renderedAsSent, statusReport } from './payment-xml.js';
import { paymentRecord, statusRecord } from './resource-records.js';
import { afterConfirmation, continueSca, openWith, shownOf, startSca } from './sca/steps.js';
import { promiseOf, watchOf } from './watch.js';

export function createLivingPayments(bank: LivingBank) {
  const of = (handle: OnPayment): LivingHandler => onPayment(bank, handle);
  return {
    'payments.create': (call, moment) => createPayment(bank, call, moment),
    'payments.read': of(({ call, payment, stored, now }) => {
      const body = stored?.body ?? payment.body;
      const rendered = renderedAsSent(payment, body) ?? renderJson(paymentRecord(payment, now, body));
      return { answer: openReply(call, { source: 'emulator', status: 200, rendered }) };
    }),
    'payments.status': of(({ call, payment, bank: { bankPayments }, now }) => {
      const isReport = payment.sentAs !== undefined && prefersOverJson(call.header.accept, XML_TYPE);
      const rendered = isReport
        ? renderXml(statusReport(payment, bankPayments, now))
        : renderJson(statusRecord(payment, now));
      return { answer: openReply(call, { source: 'emulator', status: 200, rendered }) };
    }),
    'payments.cancel': of((asked) => cancel(bank, asked)),
    'payments.authorisations.create': of((asked) => createAuthorisation(bank, asked)),
    'payments.authorisations.list': of(({ call, payment }) => list(call, payment.authorisations)),
    'payments.authorisations.read': of((asked) => readAuthorisation(asked, 'payment')),
    'payments.authorisations.update': of((asked) => updateAuthorisation(bank, asked, 'payment')),
    'payments.cancellation-authorisations.create': of((asked) => createCancellation(bank, asked)),
    'payments.cancellation-authorisations.update': of((asked) =>
      updateAuthorisation(bank, asked, 'cancellation'),
    ),
    'payments.cancellation-authorisations.list': of(({ call, payment }) =>
      list(call, payment.cancellationAuthorisations),
    ),
    'payments.cancellation-authorisations.read': of((asked) => readAuthorisation(asked, 'cancellation')),
  } satisfies LivingHandlers;
}

interface Asked extends LivingMoment {
  readonly call: Call;
  readonly payment: BankPayment;
}
type OnPayment = (asked: Asked) => Answered;

function onPayment({ links }: LivingBank, handle: OnPayment): LivingHandler {
  return (call, moment) => {
    const product = productOf(links.dialect, call);
    if (product === undefined) return { answer: refuse(call, 'PRODUCT_UNKNOWN') };
    const { paymentId: id = '', paymentProduct } = call.params;
    const payment = moment.bank.bankPayments.get(id);
    if (payment === undefined || payment.tpp !== call.tpp || payment.order !== undefined)
      return { answer: refuse(call, 'RESOURCE_UNKNOWN', { status: 403 }) };
    const ofService = serviceOf(payment);
    if (codeOf(payment) !== product.code || ofService !== product.service) {
      const of = ofService === product.service ? `product ${paymentProduct}` : `service ${product.service}`;
      const text = `The payment ${id} is not one of the ${of}.`;
      return { answer: refuse(call, 'RESOURCE_UNKNOWN', { status: 403, text }) };
    }
    const { authorisations, cancellationAuthorisations } = payment;
    return afterConfirmation(moment, [...authorisations, ...cancellationAuthorisations], () =>
      handle({ ...moment, call, payment: moment.bank.bankPayments.get(id) ?? payment }),
    );
  };
}

/** In the spelling of the call. */
const subjectOf = ({ params }: Call, of: Subject['of'], paymentId = params.paymentId ?? ''): Subject => ({
  of,
  params: { ...params, paymentId },
});

function createPayment(bank: LivingBank, call: Call, moment: LivingMoment): Answered | null {
  const { now, stored, books } = moment;
  const { population } = books;
  const { links } = bank;
  const product = productOf(links.dialect, call);
  const { paymentProduct = '' } = call.params;
  if (product === undefined) return { answer: refuse(call, 'PRODUCT_UNKNOWN') };
  // Nothing can be remembered for a caller that nobody knows.
  const { tpp } = call;
  if (tpp === null) return null;
  const refusal = refusalOfCreation(bank, call, moment, 'PIS');
  if (refusal !== null) return { answer: refusal };
  const today = bankDayAt(now);
  const asked = readPaymentRequest({ call, product, population, today });
  if ('status' in asked) return { answer: asked };
  const approach = approachOf(links.dialect, call);
  const explicit = isExplicit(call, links.dialect, approach);
  const id = bank.ids.authorisation();
  const drawn = population.draws?.payment(asked, now);
  // Its payments are ordinary ones, each decided in its turn.
  const habit = product.service === 'payments' || drawn === 'rejected' ? drawn : undefined;
  const isRejected = habit === 'rejected';
  const watch = watchOf(bank, call, isRejected ? 'RJCT' : explicit ? 'PATC' : 'RCVD');
  const subject = subjectOf(call, 'payment', id);
  const waiting: BankPayment = {
    id,
    tpp,
    product: paymentProduct,
    ...(codeOf({ product: paymentProduct }) === product.code ? {} : { like: product.code }),
    createdAt: now,
    ...asked,
    explicit,
    ...addressesIn(call),
    watch,
    psu: null,
    authorisedAt: null,
    dueAt: null,
    execution: isRejected ? rejection('MS03', now) : null,
    cancelledAt: null,
    authorisations: [],
    cancellationAuthorisations: [],
    ...(habit === undefined ? {} : { habit }),
  };
  const of = { resource: waiting, of: 'payment', isCreation: true } as const;
  const opened = explicit || isRejected ? null : openWith(bank, call, moment, of);
  if (opened !== null && 'status' in opened) return { answer: opened };
  const payment = opened === null ? waiting : { ...waiting, authorisations: [opened.opening.id] };
  const _links = isRejected
    ? ownLinks(links, subject)
    : creationLinks(links, call, subject, opened?.shown.authorisation ?? approach);
  const members = opened === null ? {} : creationMembers(links, opened.shown);
  const value = { ...statusRecord(payment, now), paymentId: id, ...members, _links };
  return {
    answer: answerJson(call, 'emulator', 201, value, [
      ['Location', selfOf(links, subject)],
      approachHeader(approach),
      ...promiseOf(call, watch),
    ]),
    changes: [
      ...(stored === undefined ? [paymentChange(payment)] : newPayment(payment)),
      ...(opened === null ? [] : [authorisationChange(openAuthorisation(opened.opening, now))]),
    ],
  };
}

function createAuthorisation(bank: LivingBank, asked: Asked): Answered {
  const { call, payment, now } = asked;
  const full = payment.authorisations.length >= MOST_AUTHORISATIONS;
  const mayStart = payment.explicit || payment.signedBy !== undefined;
  if (!mayStart || full || !awaitsAuthorisation(payment, now))
    return { answer: refuse(call, 'STATUS_INVALID') };
  return startSca(bank, call, asked, subjectOf(call, 'payment'), payment);
}

/** Only a payment that the PSU has authorised needs an authorisation to be cancelled. */
function createCancellation(bank: LivingBank, asked: Asked): Answered {
  const { call, payment, now } = asked;
  const full = payment.cancellationAuthorisations.length >= MOST_AUTHORISATIONS;
  const mayStart = !full && !hasEnded(payment, now) && !awaitsAuthorisation(payment, now);
  if (!mayStart) return { answer: refuse(call, 'STATUS_INVALID') };
  return startSca(bank, call, asked, subjectOf(call, 'cancellation'), payment);
}

function list(call: Call, authorisationIds: readonly string[]): Answered {
  return { answer: answerJson(call, 'emulator', 200, { authorisationIds }) };
}

function readAuthorisation(asked: Asked, of: BankAuthorisation['of']): Answered {
  const { call, now } = asked;
  const one = authorisationIn(asked, of);
  if (one === undefined) return { answer: refuse(call, 'RESOURCE_UNKNOWN') };
  return { answer: answerJson(call, 'emulator', 200, { scaStatus: scaStatusAt(one, now) }) };
}

function updateAuthorisation(bank: LivingBank, asked: Asked, of: 'payment' | 'cancellation'): Answered {
  const { call, payment } = asked;
  const authorisation = authorisationIn(asked, of);
  if (authorisation === undefined) return { answer: refuse(call, 'RESOURCE_UNKNOWN') };
  return continueSca(bank, call, asked, subjectOf(call, of), { authorisation, resource: payment });
}

function authorisationIn({ call, payment, bank }: Asked, of: BankAuthorisation['of']) {
  const one = bank.bankAuthorisations.get(call.params.authorisationId ?? '');
  return one?.of === of && one.resource === payment.id ? one : undefined;
}

/** Reading `cancellation-authorised`: what the PSU has authorised is not cancelled without it. */
function cancel(bank: LivingBank, asked: Asked): Answered {
  const { call, payment, now } = asked;
  const status = paymentStatusAt(payment, now);
  const changes = cancelPayment(payment, now);
  if (hasEnded(payment, now) || typeof changes === 'string')
    return {
      answer: refuse(call, 'CANCELLATION_INVALID', {
        text: `The payment is ${PAYMENT_STATUSES[status].final ? 'final' : 'executed'} (${status}) and cannot be cancelled any more.`,
        headers: [['Allow', 'GET, HEAD']],
      }),
    };
  if (awaitsAuthorisation(payment, now))
    return { answer: openReply(call, { source: 'emulator', status: 204 }), changes };
  return askForCancellation(bank, asked, status);
}

/** An authorisation of the cancellation that is still open is given again; where the TPP starts it, a link to that is. */
function askForCancellation(bank: LivingBank, asked: Asked, transactionStatus: string): Answered {
  const { call, payment, now } = asked;
  const { links } = bank;
  const subject = subjectOf(call, 'cancellation');
  const accept = (value: object, approach: ScaApproach) =>
    answerJson(call, 'emulator', 202, { transactionStatus, ...value }, [approachHeader(approach)]);
  if (links.dialect.offers('payments.cancellation-authorisations.create')) {
    const approach = approachOf(links.dialect, call);
    return { answer: accept({ _links: creationLinks(links, call, subject, approach) }, approach) };
  }
  const open = payment.cancellationAuthorisations
    .flatMap((id) => asked.bank.bankAuthorisations.get(id) ?? [])
    .find((one) => !SCA_STATUSES[scaStatusAt(one, now)].final);
  const of = { resource: payment, of: 'cancellation', isCreation: true } as const;
  const opened =
    open === undefined
      ? openWith(bank, call, asked, of)
      : { opening: null, shown: { authorisation: shownOf(open, now) } };
  if ('status' in opened) return { answer: opened };
  const { opening, shown } = opened;
  const { authorisation } = shown;
  const _links = { ...authorisationLinks(links, subject, authorisation), ...ownLinks(links, subject) };
  return {
    answer: accept({ scaStatus: authorisation.status, _links }, authorisation.approach),
    changes: opening === null ? [] : startAuthorisation(asked.bank, opening, now),
  };
}
