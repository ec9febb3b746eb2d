/** Payments: one SEPA credit transfer that is never sent twice, and its status. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { BankRefusal } from './bank.js';
import type { Parts } from './linking.js';
import { authorizeAddress, newState, newVerifier } from './oauth.js';
import type { PaymentRow } from './store.js';

const PRODUCT = '/payments/sepa-credit-transfers';
const STATUSES = [
  'RCVD',
  'PDNG',
  'PATC',
  'ACTC',
  'ACCP',
  'ACWC',
  'ACWP',
  'ACSP',
  'ACSC',
  'RJCT',
  'CANC',
] as const;
const FINAL = new Set<string>(['ACSC', 'RJCT', 'CANC']);
/** The bank has the user's yes. */
const ACCEPTED = new Set<string>(['ACTC', 'ACCP', 'ACWC', 'ACWP', 'ACSP', 'ACSC']);

const started = z.object({ _links: z.object({ scaOAuth: z.object({ href: z.url() }) }) });
const created = z.object({
  paymentId: z.string().min(1),
  transactionStatus: z.enum(STATUSES),
  _links: z
    .object({
      scaOAuth: z.object({ href: z.url() }).optional(),
      startAuthorisation: z.object({ href: z.string() }).optional(),
    })
    .optional(),
});
const told = z.object({ transactionStatus: z.enum(STATUSES) });

export interface Order {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly explicit: boolean;
  readonly browser: string;
  readonly psuIp: string;
}

/** Creates the payment at the bank, with these headers and this body. */
export type CreatePayment = (
  parts: Parts,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly json: object },
) => Promise<z.infer<typeof created>>;

/** Once: where no answer comes, the bank may have it or not, and a second one would be a second payment. */
export const createOnce: CreatePayment = ({ bank }, sent) =>
  bank.call({ method: 'POST', path: PRODUCT, ...sent, answers: created });

/** Where the PSU goes. Throws where the bank does not take part; the payment stays in the list, its status unknown. */
export async function beginPayment(parts: Parts, order: Order, create: CreatePayment): Promise<string> {
  const { bank, store, origin } = parts;
  const [reference, state, verifier] = [randomUUID().replaceAll('-', ''), newState(), newVerifier()];
  const redirectUri = `${origin}/back`;
  const headers = { 'TPP-Redirect-URI': redirectUri, 'PSU-IP-Address': order.psuIp };
  const { browser, amount } = order;
  store.addPayment({ reference, browser, state, amount });
  const answer = await create(parts, {
    headers: {
      ...headers,
      'TPP-Explicit-Authorisation-Preferred': String(order.explicit),
      'TPP-Notification-URI': `${origin}/notified/${reference}`,
    },
    json: {
      endToEndIdentification: reference,
      instructedAmount: { currency: 'EUR', amount },
      debtorAccount: { iban: order.from },
      creditorAccount: { iban: order.to },
      creditorName: 'Fietsenatelier Roeland',
    },
  }).catch((error: unknown) => {
    // The bank said no, so that there is none.
    if (error instanceof BankRefusal) store.dropPayment(reference);
    throw error;
  });
  store.changePayment(reference, { id: answer.paymentId, status: answer.transactionStatus });
  const path = `${PRODUCT}/${answer.paymentId}/authorisations`;
  const link =
    answer._links?.scaOAuth?.href ??
    (await bank.call({ method: 'POST', path, headers, json: {}, answers: started }))._links.scaOAuth.href;
  return authorizeAddress(bank, { link, scope: `PIS:${answer.paymentId}`, state, verifier, redirectUri });
}

/** As the bank has it now; a final status stays. */
export async function readStatus(
  { bank, store }: Parts,
  { reference, id, status }: PaymentRow,
): Promise<string> {
  if (id === null || FINAL.has(status)) return status;
  const { transactionStatus } = await bank.call({
    path: `${PRODUCT}/${id}/status`,
    headers: { 'Consent-Id': id },
    answers: told,
  });
  store.changePayment(reference, { status: transactionStatus });
  return transactionStatus;
}

export const isAccepted = (status: string): boolean => ACCEPTED.has(status);

/** Asks for all that can still change; gives why some could not be asked. */
export async function readStatuses(parts: Parts): Promise<string[]> {
  const problems: string[] = [];
  for (const payment of parts.store.payments())
    await readStatus(parts, payment).catch((error: Error) => problems.push(error.message));
  return [...new Set(problems)];
}
