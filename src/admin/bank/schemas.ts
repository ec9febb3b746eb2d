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
const owner = { tpp: z.string(), psu: z.string().nullable(), authorisations: z.array(authorisation) };

export const consent = named(
  'BankConsent',
  z
    .looseObject({
      consentId: z.string(),
      ...owner,
      consentStatus: z.string(),
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

export interface BankPort {
  readonly common: BankView;
  /** The bank of a session; undefined: the common one. Rejects with a SandgateError if the session has none. */
  readonly of: (session: string | undefined) => Promise<BankView>;
  readonly wantedOutcome: z.ZodType;
}

export type BankPage = Omit<z.output<typeof ofResources>, 'session'>;

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
  /** How the next SCA ends; `wanted` as it was sent. */
  readonly setNextOutcome: (wanted: unknown) => Promise<ShownOutcome>;
  readonly snapshots: () => readonly ShownSnapshot[];
  readonly takeSnapshot: (name: string) => Promise<ShownSnapshot>;
  readonly restoreSnapshot: (name: string) => Promise<ShownSnapshot>;
  readonly dropSnapshot: (name: string) => Promise<void>;
  /** Nothing is known any more, but snapshots; the clock stays where it is. */
  readonly reset: () => Promise<void>;
}
