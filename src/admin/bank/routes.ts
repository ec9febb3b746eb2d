/** `/api/bank`: the living bank as its operator sees and steers it. `?session=` names the world of a session. */
import * as z from 'zod';
import type { Awaitable } from '../../store/index.js';
import { type Call, route } from '../api/route.js';
import { ofSession, type Shown } from '../api/schemas.js';
import {
  type AccountAction,
  about,
  account,
  accountActions,
  type BankView,
  books,
  booksOf,
  CONSENT_ACTIONS,
  type ConsentAction,
  consent,
  ofResources,
  outcome,
  PAYMENT_ACTIONS,
  type PaymentAction,
  page,
  payment,
  psu,
  snapshot,
  wantedOf,
} from './schemas.js';

const LISTED = 'newest first, as TPPs read them, with `tpp`, `psu` and authorisations';

const ACCOUNT_STEPS = {
  book: 'books an entry: `{"amount":"-12.50","text":"…"}`, with `currency`, `date` (even in the past), or `pending`',
  close: 'closes the account: status deleted, no further entries',
  reopen: 'opens the account again',
  block: 'blocks the account: payments are rejected',
  unblock: 'enables the account again',
  'change-iban':
    'gives the account another IBAN, `{"iban":"…"}` or one of the bank’s choice; the old one leads to it for 90 days',
} as const satisfies Record<AccountAction, string>;
const CONSENT_ENDS = {
  revoke: 'the PSU revokes it; 409 if its status does not allow that',
  expire: 'it expires',
  reject: 'the bank rejects it',
} as const satisfies Record<ConsentAction, string>;
const PAYMENT_DECISIONS = {
  settle: 'executes an authorised payment now',
  reject: 'the bank rejects it',
} as const satisfies Record<PaymentAction, string>;

/** `name`: the last part of the path, where it is a parameter: an id, or the name of a snapshot. */
function onBank<Answer extends z.ZodType, Query extends typeof ofSession = typeof ofSession>(
  call: Call,
  says: string,
  answer: Answer,
  act: (bank: BankView, name: string, query: z.output<Query>) => Awaitable<Shown<Answer>>,
  query = ofSession as Query,
) {
  return route(call, 'bank', {
    query,
    says,
    answer,
    handle: async (port, { query: asked, params: { id, name = id ?? '' } }) =>
      act(await port.of(asked.session), name, asked),
  });
}

export const BANK_ROUTES = [
  onBank('GET /api/bank', 'the bank that answers, its seed, number of PSUs, and time', about, (bank) =>
    bank.about(),
  ),
  onBank(
    'POST /api/bank/reset',
    'resets the living bank: it forgets all actions of TPPs and PSUs; snapshots and the clock stay',
    about,
    async (bank) => {
      await bank.reset();
      return bank.about();
    },
  ),
  onBank(
    'GET /api/bank/psus',
    'the PSUs of the living bank with login, password and accounts; `?from=` is the number to skip, `?limit=` the number to list (100; at most 1,000)',
    z.array(psu),
    (bank, _, { from, limit }) => bank.psus(from, limit),
    page,
  ),
  onBank(
    'GET /api/bank/accounts/:id',
    'an account of the living bank, by resource id or IBAN, with its balance and its newest entries',
    account,
    (bank, id) => bank.account(id),
  ),
  ...accountActions.map((action) =>
    route(`POST /api/bank/accounts/:id/${action}`, 'bank', {
      query: ofSession,
      says: ACCOUNT_STEPS[action],
      takes: () => wantedOf[action],
      answer: account,
      handle: async (port, { query, params, body }) =>
        (await port.of(query.session)).changeAccount(params.id ?? '', action, body ?? {}),
    }),
  ),
  onBank(
    'GET /api/bank/books',
    'the bank’s books now: accounts with balance, number and sum of entries, payments and consents with their statuses; `?tpp=`: only those that this TPP created or may see; `?psu=`: only those that this PSU owns or authorised; `?dateFrom=`: entries from this day on',
    books,
    (bank, _, query) => bank.books(query),
    booksOf,
  ),
  onBank(
    'GET /api/bank/consents',
    `consents of the living bank, ${LISTED}; \`?tpp=\`, \`?psu=\`, \`?status=\` select some; \`?from=\`, \`?limit=\` as above, or \`?before=ID\` for the next page, even if more are created`,
    z.array(consent),
    (bank, _, query) => bank.consents(query),
    ofResources,
  ),
  onBank('GET /api/bank/consents/:id', 'one of them', consent, (bank, id) => bank.consent(id)),
  ...CONSENT_ACTIONS.map((action) =>
    onBank(`POST /api/bank/consents/:id/${action}`, CONSENT_ENDS[action], consent, (bank, id) =>
      bank.endConsent(id, action),
    ),
  ),
  onBank(
    'GET /api/bank/payments',
    'payments, listed the same way, with bookings (minor units); a body over 2 KB is shortened to the parts that pages and statements show',
    z.array(payment),
    (bank, _, query) => bank.payments(query),
    ofResources,
  ),
  onBank('GET /api/bank/payments/:id', 'one of them', payment, (bank, id) => bank.payment(id)),
  ...PAYMENT_ACTIONS.map((action) =>
    onBank(`POST /api/bank/payments/:id/${action}`, PAYMENT_DECISIONS[action], payment, (bank, id) =>
      bank.decidePayment(id, action),
    ),
  ),
  route('PUT /api/bank/next-outcome', 'bank', {
    query: ofSession,
    says: 'sets how the next SCA ends: `{"scenario":"SCA_NOK"}`, for a consent or payment with `"scope":"AIS:…"`, for a user with `"psu":"psu-1"`. It is used once, the most specific first; 404 if the bank does not know the name',
    takes: ({ wantedOutcome }) => wantedOutcome,
    answer: outcome,
    handle: async (port, { query, body }) => (await port.of(query.session)).setNextOutcome(body),
  }),
  onBank(
    'GET /api/bank/snapshots',
    'the snapshots: names, when they were taken, and the time of the clock if it was moved',
    z.array(snapshot),
    (bank) => bank.snapshots(),
  ),
  onBank(
    'PUT /api/bank/snapshots/:name',
    'takes a snapshot of the living bank and its time (at most 100); replaces one of that name',
    snapshot,
    (bank, name) => bank.takeSnapshot(name),
  ),
  onBank('DELETE /api/bank/snapshots/:name', 'removes it', z.object({}), async (bank, name) => {
    await bank.dropSnapshot(name);
    return {};
  }),
  onBank('POST /api/bank/snapshots/:name/restore', 'restores it', snapshot, (bank, name) =>
    bank.restoreSnapshot(name),
  ),
];
