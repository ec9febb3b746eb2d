/** Schemas of the living bank, as its operator sees it. */
import * as z from 'zod';
import { count, named, ofSession, type Shown, time, wholeNumber } from '../api/schemas.js';

export const CONSENT_ACTIONS = ['revoke', 'expire', 'reject'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];
export const PAYMENT_ACTIONS = ['settle', 'reject'] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

export const about = named(
  'Bank',
  z.object({
    bank: z.enum(['sandbox', 'living']),
    seed: z.int().nullable().describe('null: it was read from files.'),
    psus: count,
    now: time,
    fixed: z
      .array(z.object({ kind: z.string(), id: z.string(), does: z.string() }))
      .describe('The identifiers that the sandbox bank knows, and what each does; of the living bank none.'),
  }),
);

export const psu = named(
  'Psu',
  z.object({
    id: z.string(),
    name: z.string(),
    login: z.string(),
    password: z.string(),
    accounts: z.array(
      z.object({
        resourceId: z.string(),
        iban: z.string(),
        currency: z.string(),
        name: z.string(),
        status: z.string(),
      }),
    ),
  }),
);

const authorisation = z.object({
  authorisationId: z.string(),
  scaStatus: z.string(),
  psu: z.string().nullable(),
  outcome: z.string().nullable(),
});
const owner = {
  createdAt: time,
  tpp: z.string(),
  psu: z.string().nullable(),
  authorisations: z.array(authorisation),
};

export const consent = named(
  'BankConsent',
  z
    .looseObject({
      consentId: z.string(),
      ...owner,
      consentStatus: z.string(),
      accessKind: z.string().describe('`allPsd2`, or `dedicated` to the accounts that it names, and so on.'),
      actions: z.array(z.enum(CONSENT_ACTIONS)).describe('Those that its status allows.'),
    })
    .describe('As its TPP reads it, with what the bank knows besides.'),
);

export const payment = named(
  'BankPayment',
  z
    .looseObject({
      paymentId: z.string(),
      product: z.string(),
      ...owner,
      transactionStatus: z.string(),
      executesAt: time.nullable().describe('null until it is authorised; past, where it was executed.'),
      actions: z.array(z.enum(PAYMENT_ACTIONS)).describe('Those that its status allows.'),
      cancellationAuthorisations: z.array(authorisation),
      bookings: z.array(
        z.object({
          transactionId: z.string(),
          account: z.string(),
          bookingDate: z.iso.date(),
          amount: z.int().describe('Minor units of the account’s currency.'),
        }),
      ),
    })
    .describe('As its TPP reads it, with what the bank knows besides.'),
);

const entry = z.looseObject({
  transactionAmount: z.object({ currency: z.string(), amount: z.string() }),
});
const money = z.string().describe('In the account’s currency.');
export const accountActions = ['book', 'close', 'reopen', 'block', 'unblock', 'change-iban'] as const;
export type AccountAction = (typeof accountActions)[number];

export const account = named(
  'BankAccount',
  z.object({
    resourceId: z.string(),
    iban: z.string(),
    formerIbans: z.array(z.string()).describe('Those that lead to it as well.'),
    currency: z.string(),
    name: z.string(),
    status: z.enum(['enabled', 'blocked', 'deleted']),
    owners: z.array(z.string()),
    balance: money,
    available: money,
    actions: z.array(z.enum(accountActions)).describe('Those that its status allows.'),
    transactions: z.object({
      count: count.describe('All that are booked.'),
      booked: z.array(entry).describe('The newest hundred, as TPPs read them.'),
      pending: z.array(entry),
    }),
  }),
);

const wantedBooking = z.strictObject({
  amount: z.string().max(20).describe('Below zero: money that goes.'),
  currency: z.string().length(3).optional().describe('Exchanged, where it is not the account’s.'),
  text: z.string().min(1).max(140),
  pending: z.boolean().optional(),
  date: z.iso.date().optional().describe('Today where absent; of what is pending, when it is booked.'),
});
const nothing = z.strictObject({}, { error: 'this takes no body' });
/** What each action takes. */
export const wantedOf = {
  book: wantedBooking,
  'change-iban': z.strictObject({ iban: z.string().max(34).optional() }),
  close: nothing,
  reopen: nothing,
  block: nothing,
  unblock: nothing,
} as const satisfies Record<AccountAction, z.ZodType>;

export const booksOf = ofSession.extend({
  tpp: z.string().optional().describe('What it may see by its valid consents, and what it created.'),
  psu: z.string().optional().describe('What it owns, and what it authorised.'),
  dateFrom: z.iso.date().optional().describe('Entries that are booked from then on.'),
});

export const books = named(
  'Books',
  z.object({
    accounts: z.array(
      z.object({
        resourceId: z.string(),
        iban: z.string(),
        currency: z.string(),
        status: z.string(),
        balance: money,
        transactions: count.describe('Booked in the period.'),
        sum: money.describe('Of these.'),
        pending: count,
      }),
    ),
    payments: z.array(
      z.object({
        paymentId: z.string(),
        endToEndIdentification: z.string().optional(),
        amount: z.string(),
        currency: z.string(),
        status: z.string(),
      }),
    ),
    consents: z.array(z.object({ consentId: z.string(), status: z.string(), psu: z.string().nullable() })),
  }),
);

export const outcome = named(
  'NextOutcome',
  z.object({ scenario: z.string(), scope: z.string().nullable(), psu: z.string().nullable() }),
);

export const snapshot = named(
  'Snapshot',
  z.object({
    name: z.string(),
    at: time,
    now: time.nullable().describe('What the clock showed, where it was not the machine’s.'),
  }),
);

export const page = ofSession.extend({
  from: wholeNumber(Number.MAX_SAFE_INTEGER, 0).describe('How many to pass over.'),
  limit: wholeNumber(1_000, 100).describe('How many.'),
});
export const ofResources = page.extend({
  before: z
    .string()
    .optional()
    .describe('Id: those that were created before it, whatever is created meanwhile.'),
  tpp: z.string().optional().describe('Those of this TPP.'),
  psu: z.string().optional().describe('Those that this PSU authorised.'),
  status: z.string().optional().describe('Those in this status now.'),
});

export type ShownBank = Shown<typeof about>;
export type ShownPsu = Shown<typeof psu>;
export type ShownConsent = Shown<typeof consent>;
export type ShownPayment = Shown<typeof payment>;
type ShownOutcome = Shown<typeof outcome>;
export type ShownSnapshot = Shown<typeof snapshot>;
export type ShownAccount = Shown<typeof account>;
export type ShownBooks = Shown<typeof books>;

export interface BankPort {
  readonly common: BankView;
  /** The bank of a session; undefined: the common one. Rejects with a SandgateError if the session has none. */
  readonly of: (session: string | undefined) => Promise<BankView>;
  readonly wantedOutcome: z.ZodType;
}

export type BankPage = Omit<z.output<typeof ofResources>, 'session'>;

export type BooksOf = Omit<z.output<typeof booksOf>, 'session'>;

/** Whatever it gives is shown as JSON. Throws SandgateErrors, and rejects with them. */
export interface BankView {
  readonly about: () => ShownBank;
  readonly psus: (from: number, limit: number) => readonly ShownPsu[];
  /** Newest first by their creation. */
  readonly consents: (page: BankPage) => readonly ShownConsent[];
  readonly consent: (id: string) => ShownConsent;
  readonly endConsent: (id: string, end: ConsentAction) => Promise<ShownConsent>;
  readonly payments: (page: BankPage) => readonly ShownPayment[];
  readonly payment: (id: string) => ShownPayment;
  readonly decidePayment: (id: string, decision: PaymentAction) => Promise<ShownPayment>;
  /** By resource id or IBAN. */
  readonly account: (id: string) => ShownAccount;
  /** `wanted`: what the action takes, as it was sent. */
  readonly changeAccount: (id: string, action: AccountAction, wanted: unknown) => Promise<ShownAccount>;
  /** What is true now: of a PSU, or of what a TPP may see by its valid consents. `dateFrom`: entries from then on. */
  readonly books: (of: BooksOf) => ShownBooks;
  /** How the next SCA ends; `wanted` as it was sent. */
  readonly setNextOutcome: (wanted: unknown) => Promise<ShownOutcome>;
  readonly snapshots: () => readonly ShownSnapshot[];
  readonly takeSnapshot: (name: string) => Promise<ShownSnapshot>;
  readonly restoreSnapshot: (name: string) => Promise<ShownSnapshot>;
  readonly dropSnapshot: (name: string) => Promise<void>;
  /** Nothing is known any more, but snapshots; the clock stays where it is. */
  readonly reset: () => Promise<void>;
}
