/** `/api/bank`: the living bank as its operator sees and steers it. `?session=` names the world of a session. */
import * as z from 'zod';
import { route } from '../api/route.js';
import { ofSession, wholeNumber } from '../api/schemas.js';
import {
  about,
  CONSENT_ACTIONS,
  type ConsentAction,
  consent,
  outcome,
  PAYMENT_ACTIONS,
  type PaymentAction,
  payment,
  psu,
  snapshot,
} from './schemas.js';

const aPage = ofSession.extend({
  from: wholeNumber(Number.MAX_SAFE_INTEGER, 0).describe('How many to pass over.'),
  limit: wholeNumber(1_000, 100).describe('How many.'),
});
const ofResources = aPage.extend({
  before: z.string().optional().describe('Id: those that were created before it.'),
  tpp: z.string().optional().describe('Those of this TPP.'),
  psu: z.string().optional().describe('Those that this PSU authorised.'),
  status: z.string().optional().describe('Those in this status now.'),
});
const LISTED = 'newest first, as TPPs read them, with `tpp`, `psu` and authorisations';

const CONSENT_ENDS = {
  revoke: 'the PSU revokes it; 409 if its status does not allow that',
  expire: 'it expires',
  reject: 'the bank rejects it',
} as const satisfies Record<ConsentAction, string>;
const PAYMENT_DECISIONS = {
  settle: 'executes an authorised payment now',
  reject: 'the bank rejects it',
} as const satisfies Record<PaymentAction, string>;

export const BANK_ROUTES = [
  route('GET /api/bank', 'bank', {
    query: ofSession,
    says: 'which bank answers, its seed, how many PSUs it has, and its time',
    answer: about,
    handle: async (port, { query }) => (await port.of(query.session)).about(),
  }),
  route('POST /api/bank/reset', 'bank', {
    query: ofSession,
    says: 'the living bank forgets what TPPs and PSUs did; snapshots and the clock stay',
    answer: about,
    handle: async (port, { query }) => {
      const bank = await port.of(query.session);
      await bank.reset();
      return bank.about();
    },
  }),
  route('GET /api/bank/psus', 'bank', {
    query: aPage,
    says: 'the PSUs of the living bank with login, password and accounts; `?from=` skips as many, `?limit=` gives as many (100; at most 1,000)',
    answer: z.array(psu),
    handle: async (port, { query }) => (await port.of(query.session)).psus(query.from, query.limit),
  }),
  route('GET /api/bank/consents', 'bank', {
    query: ofResources,
    says: `consents of the living bank, ${LISTED}; \`?tpp=\`, \`?psu=\`, \`?status=\` select some; \`?from=\`, \`?limit=\` as above, or \`?before=ID\` for the next page, even if more are created`,
    answer: z.array(consent),
    handle: async (port, { query }) => (await port.of(query.session)).consents(query),
  }),
  route('GET /api/bank/consents/:id', 'bank', {
    query: ofSession,
    says: 'one of them',
    answer: consent,
    handle: async (port, { query, params }) => (await port.of(query.session)).consent(params.id ?? ''),
  }),
  ...CONSENT_ACTIONS.map((action) =>
    route(`POST /api/bank/consents/:id/${action}`, 'bank', {
      query: ofSession,
      says: CONSENT_ENDS[action],
      answer: consent,
      handle: async (port, { query, params }) =>
        (await port.of(query.session)).endConsent(params.id ?? '', action),
    }),
  ),
  route('GET /api/bank/payments', 'bank', {
    query: ofResources,
    says: 'payments, listed the same way, with bookings (minor units); of a body over 2 KB only what pages and statements show',
    answer: z.array(payment),
    handle: async (port, { query }) => (await port.of(query.session)).payments(query),
  }),
  route('GET /api/bank/payments/:id', 'bank', {
    query: ofSession,
    says: 'one of them',
    answer: payment,
    handle: async (port, { query, params }) => (await port.of(query.session)).payment(params.id ?? ''),
  }),
  ...PAYMENT_ACTIONS.map((action) =>
    route(`POST /api/bank/payments/:id/${action}`, 'bank', {
      query: ofSession,
      says: PAYMENT_DECISIONS[action],
      answer: payment,
      handle: async (port, { query, params }) =>
        (await port.of(query.session)).decidePayment(params.id ?? '', action),
    }),
  ),
  route('PUT /api/bank/next-outcome', 'bank', {
    query: ofSession,
    says: 'sets how the next SCA ends: `{"scenario":"SCA_NOK"}`, for a consent or payment with `"scope":"AIS:…"`, for a user with `"psu":"psu-1"`. It is used once, the most specific first; 404 if the bank does not know the name',
    takes: ({ wantedOutcome }) => wantedOutcome,
    answer: outcome,
    handle: async (port, { query, body }) => (await port.of(query.session)).setNextOutcome(body),
  }),
  route('GET /api/bank/snapshots', 'bank', {
    query: ofSession,
    says: 'names of snapshots, when they were taken, and what the clock showed if it was moved',
    answer: z.array(snapshot),
    handle: async (port, { query }) => (await port.of(query.session)).snapshots(),
  }),
  route('PUT /api/bank/snapshots/:name', 'bank', {
    query: ofSession,
    says: 'takes a snapshot of the living bank and its time (at most 100); replaces one of that name',
    answer: snapshot,
    handle: async (port, { query, params }) => (await port.of(query.session)).takeSnapshot(params.name ?? ''),
  }),
  route('DELETE /api/bank/snapshots/:name', 'bank', {
    query: ofSession,
    says: 'removes it',
    answer: z.object({}),
    handle: async (port, { query, params }) => {
      await (await port.of(query.session)).dropSnapshot(params.name ?? '');
      return {};
    },
  }),
  route('POST /api/bank/snapshots/:name/restore', 'bank', {
    query: ofSession,
    says: 'restores it',
    answer: snapshot,
    handle: async (port, { query, params }) =>
      (await port.of(query.session)).restoreSnapshot(params.name ?? ''),
  }),
];
