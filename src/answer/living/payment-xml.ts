/** A payment that came in XML, as its TPP reads it: the XML as it was, and its status as pain.002. */
import { type BankPayment, type BankView, partId, paymentStatusAt, rejectionOf } from '../../bank/index.js';
import { memberOf } from '../../exchange/index.js';
import { pain002Of, type StatusOfPart } from '../pain/pain-002.js';
import { type Rendered, textBody } from '../render.js';

/** undefined where it came as JSON. `body`: all of it. */
export function renderedAsSent({ sentAs }: BankPayment, body: object): Rendered | undefined {
  const sent = memberOf(body, 'sent');
  if (sentAs === undefined || typeof sent !== 'string') return undefined;
  return { type: sentAs.type, body: textBody(sent), content: { kind: 'opaque' } };
}

/** Empty for a payment that did not come as pain.001. */
export function statusReport(payment: BankPayment, payments: BankView['bankPayments'], now: number): string {
  const { sentAs, id, parts = [] } = payment;
  if (sentAs === undefined) return '';
  const status = paymentStatusAt(payment, now);
  const reason = rejectionOf(payment, now);
  return pain002Of({
    ...sentAs,
    paymentId: id,
    createdAt: new Date(now),
    ...{ status, reason },
    parts: parts.map(({ body }, nth): StatusOfPart => {
      const own = payments.get(partId(id, nth));
      const endToEndId = memberOf(body, 'endToEndIdentification');
      return own === undefined
        ? { endToEndId, status, reason }
        : { endToEndId, status: paymentStatusAt(own, now), reason: rejectionOf(own, now) };
    }),
  });
}
