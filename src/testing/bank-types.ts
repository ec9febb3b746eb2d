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

/** An entry as a TPP reads it. */
export interface TestEntry {
  readonly transactionId?: string;
  readonly entryReference?: string;
  readonly bookingDate?: string;
  readonly transactionAmount: { readonly currency: string; readonly amount: string };
  readonly [member: string]: unknown;
}

/** What an account is and holds now. */
export interface TestAccountBooks {
  readonly resourceId: string;
  readonly iban: string;
  /** Those that lead to it as well. */
  readonly formerIbans: readonly string[];
  readonly currency: string;
  readonly name: string;
  readonly status: 'enabled' | 'blocked' | 'deleted';
  readonly owners: readonly string[];
  readonly balance: string;
  readonly available: string;
  readonly transactions: {
    /** All that are booked. */
    readonly count: number;
    /** The newest hundred. */
    readonly booked: readonly TestEntry[];
    readonly pending: readonly TestEntry[];
  };
}

export interface TestBooking {
  /** `-12.50`: money that goes. */
  readonly amount: string;
  /** Exchanged, where it is not the account's. */
  readonly currency?: string;
  readonly text: string;
  readonly pending?: boolean;
  /** YYYY-MM-DD; today where absent; of what is pending, when it is booked. */
  readonly date?: string;
}

/** An account in a test's hands. Each gives what it is and holds afterwards. */
export interface TestAccount {
  readonly books: () => TestAccountBooks;
  readonly book: (booking: TestBooking) => Promise<TestAccountBooks>;
  readonly close: () => Promise<TestAccountBooks>;
  readonly reopen: () => Promise<TestAccountBooks>;
  readonly block: () => Promise<TestAccountBooks>;
  readonly unblock: () => Promise<TestAccountBooks>;
  /** Without an IBAN it gets one that nobody has; the old one leads to it for 90 days. */
  readonly changeIban: (iban?: string) => Promise<TestAccountBooks>;
}

/** What is true, and what an application should believe that has read all of it. */
export interface TestBooks {
  readonly accounts: readonly {
    readonly resourceId: string;
    readonly iban: string;
    readonly currency: string;
    readonly status: string;
    readonly balance: string;
    /** How many are booked, and what they come to. */
    readonly transactions: number;
    readonly sum: string;
    readonly pending: number;
  }[];
  readonly payments: readonly {
    readonly paymentId: string;
    readonly endToEndIdentification?: string;
    readonly amount: string;
    readonly currency: string;
    readonly status: string;
  }[];
  readonly consents: readonly {
    readonly consentId: string;
    readonly status: string;
    readonly psu: string | null;
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
  /** By resource id or IBAN. */
  readonly account: (idOrIban: string) => TestAccount;
  /** Of a PSU, of what a TPP may see, or of both; `dateFrom`: entries that are booked from then on. */
  readonly books: (of?: {
    readonly tpp?: string;
    readonly psu?: string;
    readonly dateFrom?: string;
  }) => TestBooks;
  /** Newest first by creation, after the first `from`, `limit` at most; `where` leaves out others. */
  readonly consents: (from?: number, limit?: number, where?: TestWhere) => readonly TestConsent[];
  readonly consent: (id: string) => TestConsent;
  /** Ends a consent by the PSU, by its time, or by the bank. */
  readonly revokeConsent: (id: string) => Promise<TestConsent>;
  readonly expireConsent: (id: string) => Promise<TestConsent>;
  readonly rejectConsent: (id: string) => Promise<TestConsent>;
  /** Like `consents`. */
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
