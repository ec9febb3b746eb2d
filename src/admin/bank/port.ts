/** What the admin listener may ask of the living bank, and do to it. */
import type * as z from 'zod';
import type {
  ConsentAction,
  PaymentAction,
  ShownBank,
  ShownConsent,
  ShownOutcome,
  ShownPayment,
  ShownPsu,
  ShownSnapshot,
} from './schemas.js';

export interface BankPort {
  /** Of calls that name no session. */
  readonly common: BankView;
  /** Of the world of a session; undefined: the common one. Rejects with a SandgateError where it has none. */
  readonly of: (session: string | undefined) => Promise<BankView>;
  /** Of what `setNextOutcome` takes. */
  readonly wantedOutcome: z.ZodType;
}

/** Of consents or payments: those that fit, after the first `from`, `limit` at most. */
export interface BankPage {
  readonly from: number;
  readonly limit: number;
  readonly tpp?: string | undefined;
  readonly psu?: string | undefined;
  readonly status?: string | undefined;
  /** Id: those that were created before it, whatever is created meanwhile. */
  readonly before?: string | undefined;
}

/** Whatever it gives is shown as JSON. Throws SandgateErrors, and rejects with them. */
export interface BankView {
  readonly about: () => ShownBank;
  /** PSUs after the first `from`, `limit` at most, with their accounts. */
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
