/** The habits of the living bank: how often it does what banks do on other days. Each is a share, from 0 to 1. */

interface HabitRow {
  /** What the share is of, and what happens. */
  readonly says: string;
  /** What a TPP that stays right does. */
  readonly expect: string;
  readonly market: number;
}

export const HABITS = {
  postings: {
    held: {
      says: 'Card payments that are pending for one to five days before they are booked',
      expect: 'Show pending entries, and do not book them yourself.',
      market: 0.6,
    },
    heldOtherId: {
      says: 'Pending payments that are booked under another transactionId',
      expect: 'Replace all pending entries at each read. Match nothing by id.',
      market: 0.5,
    },
    heldOtherAmount: {
      says: 'Pending payments that are booked with a smaller amount',
      expect: 'Take the amount from the booked entry.',
      market: 0.15,
    },
    heldOtherDate: {
      says: 'Pending payments that are booked with another valueDate',
      expect: 'Take the dates from the booked entry.',
      market: 0.3,
    },
    vanishing: {
      says: 'Card payments with a second hold that is never booked',
      expect: 'Let it vanish: no money was spent.',
      market: 0.03,
    },
    backDated: {
      says: 'Entries that appear one to three days after their bookingDate',
      expect: 'Read some days again each time; a closing balance may change afterwards.',
      market: 0.04,
    },
    reversed: {
      says: 'Debits that are booked twice, and the second is reversed one to five days later',
      expect: 'Book three entries: two of them cancel out.',
      market: 0.02,
    },
    mintedAnew: {
      says: 'Days of an account whose entries get new ids at each delivery',
      expect: 'Recognise an entry by date, amount and text where its id is unknown.',
      market: 0.05,
    },
    referenceOnly: {
      says: 'Entries with an entryReference and without transactionId',
      expect: 'Take either as the id; both are optional.',
      market: 0.15,
    },
    noRemittance: {
      says: 'Entries without remittance information',
      expect: 'Show the counterparty, or the kind of entry.',
      market: 0.1,
    },
    structured: {
      says: 'Entries with a structured reference instead of a text',
      expect: 'Read remittanceInformationStructured too.',
      market: 0.1,
    },
    noCounterparty: {
      says: 'Entries that do not name the counterparty',
      expect: 'Require neither creditorName nor debtorName.',
      market: 0.06,
    },
    foreign: {
      says: 'Card payments made in another currency, with currencyExchange',
      expect: 'Add up transactionAmount, which is in the account’s currency.',
      market: 0.04,
    },
  },
  payments: {
    rejected: {
      says: 'Payments that are RJCT in the answer to their creation, without a link to an SCA',
      expect: 'Read transactionStatus of the 201 before sending the PSU anywhere.',
      market: 0.01,
    },
    checked: {
      says: 'Payments that are PDNG for two hours after the SCA',
      expect: 'Wait: it is neither paid nor refused.',
      market: 0.04,
    },
    profiled: {
      says: 'Payments that pass through ACCP',
      expect: 'Treat it as on its way.',
      market: 0.1,
    },
    changed: {
      says: 'Payments that are ACWC: executed on the next bank day, shown by requestedExecutionDate',
      expect: 'Read the payment again and show the new date.',
      market: 0.03,
    },
    unposted: {
      says: 'Payments that are ACWP for their last half hour',
      expect: 'Treat it as on its way, not as paid.',
      market: 0.05,
    },
    late: {
      says: 'Payments whose final status appears a day after the booking',
      expect: 'Do not pay again because a status stands still; look at the account.',
      market: 0.05,
    },
    returned: {
      says: 'Payments to other banks that are ACSC and come back two to four bank days later; the status stays',
      expect: 'Find the credit on the account: no status shows it.',
      market: 0.02,
    },
  },
  consents: {
    halfYear: {
      says: 'Consents that may last 180 days instead of 90',
      expect: 'Read validUntil of the consent, do not calculate it.',
      market: 0.3,
    },
    scaAgain: {
      says: 'Consents that stay valid while their access ends after 30 to 90 days, until a new SCA',
      expect:
        'At 401 CONSENT_INVALID read the status. If it is valid, POST …/authorisations and send the PSU there.',
      market: 0.1,
    },
    revoked: {
      says: 'Consents that the PSU revokes 2 to 60 days after the SCA',
      expect: 'Stop, and tell the user at the next visit.',
      market: 0.05,
    },
    ownIds: {
      says: 'PSUs whose accounts get other resource ids under each consent',
      expect: 'Recognise an account by its IBAN and currency.',
      market: 0.2,
    },
  },
  accounts: {
    closed: {
      says: 'Accounts that are closed within a year: status deleted, no further entries',
      expect: 'Keep the entries, and stop reading the account.',
      market: 0.02,
    },
    blocked: {
      says: 'Accounts that are blocked for two weeks of a year: payments are rejected',
      expect: 'Show the status; it may be enabled again.',
      market: 0.02,
    },
    added: {
      says: 'Accounts that a PSU opens within a year, and that then appear under allPsd2',
      expect: 'Read the list of accounts each time.',
      market: 0.05,
    },
    ibanChanged: {
      says: 'Accounts whose IBAN changes within a year; the old one leads to them for 90 days',
      expect: 'Recognise the account by its resourceId, and take the new IBAN.',
      market: 0.02,
    },
    ownershipEnded: {
      says: 'Joint accounts that the second owner leaves within a year',
      expect: 'Remove an account that is no longer in the list.',
      market: 0.05,
    },
    twoSignatories: {
      says: 'Business accounts that need two PSUs: PATC and partiallyAuthorised after the first SCA',
      expect: 'POST …/authorisations for the second PSU.',
      market: 0.3,
    },
  },
} as const satisfies Record<string, Record<string, HabitRow>>;

type Groups = typeof HABITS;
export type HabitGroup = keyof Groups;
export type Habits = {
  readonly [G in HabitGroup]: { readonly [H in keyof Groups[G]]: number };
};
export type PaymentHabit = keyof Groups['payments'];

function everywhere(shareOf: (row: HabitRow) => number): Habits {
  const groups = Object.entries<Record<string, HabitRow>>(HABITS).map(([group, rows]) => [
    group,
    Object.fromEntries(Object.entries(rows).map(([habit, row]) => [habit, shareOf(row)])),
  ]);
  return Object.fromEntries(groups) as Habits;
}

/** Nothing of it happens. */
export const CALM: Habits = everywhere(() => 0);
export const MARKET: Habits = everywhere(({ market }) => market);
