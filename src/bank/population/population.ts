/** Who there is in the living bank and what moves on their accounts by themselves: what a population can be asked. */

/** The code that confirms an SCA, for every PSU: the page shows it, it is a sandbox. */
export const SECOND_FACTOR = '123456';

export interface Psu {
  /** `psu-1` */
  readonly id: string;
  readonly name: string;
  readonly login: string;
  readonly password: string;
}

/** Amounts are whole minor units of the currency (cents); days are numbered as `dayOf` does, UTC. */
export interface Account {
  readonly resourceId: string;
  readonly iban: string;
  readonly bic: string;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  readonly cashAccountType: string;
  readonly status: 'enabled' | 'blocked' | 'deleted';
  readonly usage: 'PRIV' | 'ORGA';
  readonly ownerName: string;
  /** Ids of PSUs: several own a joint account. */
  readonly owners: readonly string[];
  readonly overdraft: number;
  /** The day of its first posting, if it has any. */
  readonly openedOn: number;
  /** So many of its owners have to agree to a payment, or to a consent that covers it; absent: any one. */
  readonly signatories?: 2;
}

export interface Posting {
  /** As `transactionId`: unique in the bank, and the same for ever. */
  readonly id: string;
  readonly account: string;
  readonly bookingDay: number;
  readonly valueDay: number;
  /** Negative: money that goes. */
  readonly amount: number;
  /** null where the bank itself is the other side. */
  readonly counterparty: {
    readonly name: string;
    readonly iban?: string;
    readonly bban?: string;
  } | null;
  readonly remittance: string;
  readonly bankTransactionCode: string;
  readonly endToEndId?: string;
  /** A reference in the form that the bank checks, in place of a text. */
  readonly structured?: string;
  /** What was paid in another currency. */
  readonly exchange?: Conversion;
  /** Its id is told as entryReference, and there is no transactionId. */
  readonly referenceOnly?: true;
}

export interface Conversion {
  readonly currency: string;
  /** As the standard writes it. */
  readonly amount: string;
  /** Units of the account's currency for one of the other. */
  readonly rate: string;
}

/** What is not booked yet. */
export interface PendingEntry extends Omit<Posting, 'bookingDay'> {}

/** Pure functions of what it was made of: the same everywhere and at any time. What is not there is undefined or empty. */
export interface Population {
  /** null: it was read from files. */
  readonly seed: number | null;
  readonly count: number;
  /** The PSUs after the first `from`, `limit` at most. */
  readonly psus: (from: number, limit: number) => readonly Psu[];
  readonly psu: (id: string) => Psu | undefined;
  readonly psuByLogin: (login: string) => Psu | undefined;
  readonly accountsOf: (psu: string) => readonly Account[];
  readonly account: (resourceId: string) => Account | undefined;
  readonly accountByIban: (iban: string) => Account | undefined;
  /** Those booked on one day, oldest first. */
  readonly postings: (account: string, day: number) => readonly Posting[];
  /** The sum of all that is booked up to this day, with it. */
  readonly balance: (account: string, day: number) => number;
  /** How many are booked from a day to a day, with both. */
  readonly countPostings: (account: string, from: number, to: number) => number;
  /** Of those, newest first, `limit` after the first `offset`; a late page costs no more than the first. */
  readonly postingsPage: (
    account: string,
    from: number,
    to: number,
    offset: number,
    limit: number,
  ) => readonly Posting[];
  /** Pending beside payments on a day, newest first. Absent: nothing ever is. */
  readonly holds?: (account: string, day: number) => readonly PendingEntry[];
  /** Whether what is told of an account follows from more than the day. Absent: of none. */
  readonly varies?: (account: string) => boolean;
}
