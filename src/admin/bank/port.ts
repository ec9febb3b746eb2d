/** What the admin listener may ask of the living bank, and do to it. */

export const CONSENT_ACTIONS = ['revoke', 'expire', 'reject'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];
export const PAYMENT_ACTIONS = ['settle', 'reject'] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

export interface BankPort {
  /** Of calls that name no session. */
  readonly common: BankView;
  /** Of the world of a session; undefined: the common one. Rejects with a SandgateError where it has none. */
  readonly of: (session: string | undefined) => Promise<BankView>;
}

/** Whatever it gives is shown as JSON. Throws SandgateErrors, and rejects with them. */
export interface BankView {
  readonly about: () => object;
  /** PSUs after the first `from`, `limit` at most, with their accounts. */
  readonly psus: (from: number, limit: number) => readonly object[];
  /** Newest first, after the first `from`, `limit` at most. */
  readonly consents: (from: number, limit: number) => readonly object[];
  readonly consent: (id: string) => object;
  readonly endConsent: (id: string, end: ConsentAction) => Promise<object>;
  readonly payments: (from: number, limit: number) => readonly object[];
  readonly payment: (id: string) => object;
  readonly decidePayment: (id: string, decision: PaymentAction) => Promise<object>;
  /** How the next SCA ends; `wanted` as it was sent. */
  readonly setNextOutcome: (wanted: unknown) => Promise<object>;
  readonly snapshots: () => readonly object[];
  readonly takeSnapshot: (name: string) => Promise<object>;
  readonly restoreSnapshot: (name: string) => Promise<object>;
  readonly dropSnapshot: (name: string) => Promise<void>;
  /** Nothing is known any more, but snapshots; the clock stays where it is. */
  readonly reset: () => Promise<void>;
}
