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
import { bankDayAt, PAYMENT_STATUSES, SCA_STATUSES } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import type { Answered } from '../answerer.js';
import { answerStart, creationLinks, isExplicit, REDIRECT } from '../emulator/creations.js';
import { href } from '../emulator/links.js';
import { productOf } from '../emulator/payments.js';
import { answerJson, openReply } from '../render.js';
import type { LivingBank, LivingHandler, LivingHandlers, LivingMoment } from './living.js';
import { addressesIn, MOST_AUTHORISATIONS, openingOf } from './openings.js';
import { readPaymentRequest } from './payment-request.js';
import { paymentRecord, statusRecord } from './resource-records.js';
import { promiseOf, watchOf } from './watch.js';

export function createLivingPayments(bank: LivingBank) {
  const of = (handle: OnPayment): LivingHandler => onPayment(bank, handle);
  return {
    'payments.create': (call, moment) => createPayment(bank, call, moment),
    'payments.read': of(({ call, payment, stored, now }) => ({
      answer: answerJson(call, 'emulator', 200, paymentRecord(payment, now, stored?.body ?? undefined)),
    })),
    'payments.status': of(({ call, payment, now }) => ({
      answer: answerJson(call, 'emulator', 200, statusRecord(payment, now)),
    })),
    'payments.cancel': of((asked) => cancel(bank, asked)),
    'payments.authorisations.create': of((asked) => createAuthorisation(bank, asked)),
    'payments.authorisations.list': of(({ call, payment }) => list(call, payment.authorisations)),
    'payments.authorisations.read': of((asked) => readAuthorisation(asked, 'payment')),
    'payments.cancellation-authorisations.list': of(({ call, payment }) =>
      list(call, payment.cancellationAuthorisations),
    ),
    'payments.cancellation-authorisations.read': of((asked) => readAuthorisation(asked, 'cancellation')),
  } satisfies LivingHandlers;
}

interface Asked extends LivingMoment {
  readonly call: Call;
  readonly payment: BankPayment;
  /** The payment's address in the spelling of the call. */
  readonly self: string;
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
    return handle({
      ...moment,
      call,
      payment,
      self: links.to('payments.read', { ...call.params, paymentId: id }),
    });
  };
}

function createPayment(
  bank: LivingBank,
  call: Call,
  { now, stored, books: { population } }: LivingMoment,
): Answered | null {
  const product = productOf(bank.links.dialect, call);
  const { paymentProduct = '' } = call.params;
  if (product === undefined) return { answer: refuse(call, 'PRODUCT_UNKNOWN') };
  // Nothing can be remembered for a caller that nobody knows.
  const { tpp } = call;
  if (tpp === null) return null;
  const today = bankDayAt(now);
  const asked = readPaymentRequest({ call, product, population, today });
  if ('status' in asked) return { answer: asked };
  const explicit = isExplicit(call);
  const id = bank.ids.authorisation();
  const drawn = population.draws?.payment(asked, now);
  // Its payments are ordinary ones, each decided in its turn.
  const habit = product.service === 'payments' || drawn === 'rejected' ? drawn : undefined;
  const isRejected = habit === 'rejected';
  const watch = watchOf(bank, call, isRejected ? 'RJCT' : explicit ? 'PATC' : 'RCVD');
  const self = bank.links.to('payments.read', { ...call.params, paymentId: id });
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
  const opened =
    explicit || isRejected ? null : openAuthorisation(openingOf(bank, call, waiting, 'payment'), now);
  const payment = opened === null ? waiting : { ...waiting, authorisations: [opened.id] };
  const _links = isRejected
    ? { self: href(self), status: href(`${self}/status`) }
    : creationLinks(bank.links, self, opened?.id ?? null);
  return {
    answer: answerJson(call, 'emulator', 201, { ...statusRecord(payment, now), paymentId: id, _links }, [
      ['Location', self],
      REDIRECT,
      ...promiseOf(call, watch),
    ]),
    changes: [
      ...(stored === undefined ? [paymentChange(payment)] : newPayment(payment)),
      ...(opened === null ? [] : [authorisationChange(opened)]),
    ],
  };
}

function createAuthorisation(bank: LivingBank, asked: Asked): Answered {
  const { call, payment, self, now } = asked;
  const full = payment.authorisations.length >= MOST_AUTHORISATIONS;
  const mayStart = payment.explicit || payment.signedBy !== undefined;
  if (!mayStart || full || !awaitsAuthorisation(payment, now))
    return { answer: refuse(call, 'STATUS_INVALID') };
  const opening = openingOf(bank, call, payment, 'payment');
  return {
    answer: answerStart(bank.links, call, self, opening.id),
    changes: startAuthorisation(asked.bank, opening, now),
  };
}

function list(call: Call, authorisationIds: readonly string[]): Answered {
  return { answer: answerJson(call, 'emulator', 200, { authorisationIds }) };
}

function readAuthorisation({ call, payment, bank, now }: Asked, of: BankAuthorisation['of']): Answered {
  const one = bank.bankAuthorisations.get(call.params.authorisationId ?? '');
  if (one === undefined || one.of !== of || one.resource !== payment.id)
    return { answer: refuse(call, 'RESOURCE_UNKNOWN') };
  return { answer: answerJson(call, 'emulator', 200, { scaStatus: scaStatusAt(one, now) }) };
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

/** An authorisation of the cancellation that is still open is given again. */
function askForCancellation(bank: LivingBank, asked: Asked, transactionStatus: string): Answered {
  const { call, payment, self, now } = asked;
  const open = payment.cancellationAuthorisations.find((id) => {
    const one = asked.bank.bankAuthorisations.get(id);
    return one !== undefined && !SCA_STATUSES[scaStatusAt(one, now)].final;
  });
  const opening = openingOf(bank, call, payment, 'cancellation');
  const id = open ?? opening.id;
  const _links = {
    scaOAuth: href(bank.links.scaOAuth(id)),
    scaStatus: href(`${self}/cancellation-authorisations/${id}`),
    self: href(self),
    status: href(`${self}/status`),
  };
  return {
    answer: answerJson(call, 'emulator', 202, { transactionStatus, scaStatus: 'received', _links }, [
      REDIRECT,
    ]),
    changes: open === undefined ? startAuthorisation(asked.bank, opening, now) : [],
  };
}
