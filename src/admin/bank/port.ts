/** What the admin listener may ask of the living bank, and do to it. */

export interface BankPort {
  /** Of the world of a session, undefined: of calls that name none. Throws a SandgateError where it has none. */
  readonly of: (session: string | undefined) => BankView;
}

/** Whatever it gives is shown as JSON. Throws SandgateErrors, and rejects with them. */
export interface BankView {
  readonly about: () => object;
  /** PSUs after the first `from`, `limit` at most, with their accounts. */
  readonly psus: (from: number, limit: number) => readonly object[];
  readonly snapshots: () => readonly object[];
  readonly takeSnapshot: (name: string) => Promise<object>;
  readonly restoreSnapshot: (name: string) => Promise<object>;
  readonly dropSnapshot: (name: string) => Promise<void>;
  /** Nothing is known any more, but snapshots; the clock stays where it is. */
  readonly reset: () => Promise<void>;
}
