/** The living bank in a test's hands: who there is in it, what TPPs created, and what happens to it. */

/** With log-in and password, and the accounts that it owns. */
export interface TestPsu {
  /** `psu-1` */
  readonly id: string;
  readonly name: string;
  readonly login: string;
  readonly password: string;
  readonly accounts: readonly {
    readonly resourceId: string;
    readonly iban: string;
    readonly currency: string;
    readonly name: string;
    readonly status: 'enabled' | 'blocked' | 'deleted';
  }[];
}

interface CreatedResource {
  /** NCA id of its TPP. */
  readonly tpp: string;
  /** Who authorised it; null until somebody has. */
  readonly psu: string | null;
  readonly authorisations: readonly {
    readonly authorisationId: string;
    readonly scaStatus: string;
    readonly psu: string | null;
    readonly outcome: string | null;
  }[];
  /** The rest as its TPP reads it. */
  readonly [member: string]: unknown;
}

export interface TestConsent extends CreatedResource {
  readonly consentId: string;
  readonly consentStatus: string;
}

export interface TestPayment extends CreatedResource {
  readonly paymentId: string;
  readonly transactionStatus: string;
  /** `amount` in minor units of the account's currency. */
  readonly bookings: readonly {
    readonly transactionId: string;
    readonly account: string;
    readonly amount: number;
    readonly bookingDate: string;
  }[];
}

/** Which consents or payments are meant. */
export interface TestWhere {
  readonly tpp?: string;
  readonly psu?: string;
  readonly status?: string;
  /** Id: those that were created before it, whatever is created meanwhile. */
  readonly before?: string;
}

/** Rejects, or throws, with a SandgateError for ids that are not known and what a status does not allow. */
export interface TestBank {
  /** PSUs after the first `from`, `limit` at most. */
  readonly psus: (from?: number, limit?: number) => readonly TestPsu[];
  /** Newest first by creation, after the first `from`, `limit` at most; `where` leaves out others. */
  readonly consents: (from?: number, limit?: number, where?: TestWhere) => readonly TestConsent[];
  readonly consent: (id: string) => TestConsent;
  /** As the PSU takes it back, as its time ends, as the bank refuses it. */
  readonly revokeConsent: (id: string) => Promise<TestConsent>;
  readonly expireConsent: (id: string) => Promise<TestConsent>;
  readonly rejectConsent: (id: string) => Promise<TestConsent>;
  /** As consents. */
  readonly payments: (from?: number, limit?: number, where?: TestWhere) => readonly TestPayment[];
  readonly payment: (id: string) => TestPayment;
  /** Executed now, ahead of its time. */
  readonly settlePayment: (id: string) => Promise<TestPayment>;
  readonly rejectPayment: (id: string) => Promise<TestPayment>;
  /** How the next SCA ends that nobody chooses an end for; of any, or of a scope or a PSU. */
  readonly nextOutcome: (
    scenario: string,
    aim?: { readonly scope?: string; readonly psu?: string },
  ) => Promise<void>;
  /** Forgets what TPPs and PSUs did; snapshots stay. */
  readonly reset: () => Promise<void>;
  /** Keeps what the bank remembers, and its time, under a name. */
  readonly snapshot: (name: string) => Promise<void>;
  /** Goes back to a snapshot. */
  readonly restore: (name: string) => Promise<void>;
}
