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
      expect: 'Show what is pending, and do not book it yourself.',
      market: 0.6,
    },
    heldOtherId: {
      says: 'Of these, those that are booked under another transactionId',
      expect: 'Drop all that was pending with each read; match nothing by id.',
      market: 0.5,
    },
    heldOtherAmount: {
      says: 'Of these, those that are booked with a smaller amount than was held',
      expect: 'Take the amount from what is booked.',
      market: 0.15,
    },
    heldOtherDate: {
      says: 'Of these, those that are booked with another valueDate',
      expect: 'Take the dates from what is booked.',
      market: 0.3,
    },
    vanishing: {
      says: 'Card payments beside which a second hold stands that is never booked',
      expect: 'Let it vanish: it was never money that went.',
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
      says: 'Days of an account whose entries have other ids at each delivery',
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
      expect: 'Show the other side, or the kind of entry.',
      market: 0.1,
    },
    structured: {
      says: 'Entries with a structured reference in place of a text',
      expect: 'Read remittanceInformationStructured too.',
      market: 0.1,
    },
    noCounterparty: {
      says: 'Entries that do not name the other side',
      expect: 'Ask for neither creditorName nor debtorName.',
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
      says: 'Payments that are RJCT in the answer to their creation, which links no SCA',
      expect: 'Read transactionStatus of the 201 before sending the PSU anywhere.',
      market: 0.01,
    },
    checked: {
      says: 'Payments that are PDNG for two hours after the SCA',
      expect: 'Wait. It is neither paid nor refused.',
      market: 0.04,
    },
    profiled: {
      says: 'Payments that pass through ACCP',
      expect: 'Treat it as on its way.',
      market: 0.1,
    },
    changed: {
      says: 'Payments that are ACWC: executed on the next bank day, which requestedExecutionDate then names',
      expect: 'Read the payment again and show the new date.',
      market: 0.03,
    },
    unposted: {
      says: 'Payments that are ACWP for their last half hour',
      expect: 'Treat it as on its way, not as paid.',
      market: 0.05,
    },
    late: {
      says: 'Payments whose status tells the end a day after it is booked',
      expect: 'Do not pay again because a status stands still; look at the account.',
      market: 0.05,
    },
    returned: {
      says: 'Payments to other banks that are ACSC and come back two to four bank days later; the status stays',
      expect: 'Find the credit on the account: no status tells it.',
      market: 0.02,
    },
  },
  consents: {
    halfYear: {
      says: 'Consents that may last 180 days in place of 90',
      expect: 'Read validUntil of the consent; do not reckon it.',
      market: 0.3,
    },
    scaAgain: {
      says: 'Consents that stay valid while their access ends after 30 to 90 days, until a new SCA',
      expect:
        'At 401 CONSENT_INVALID read the status. If it is valid, POST …/authorisations and send the PSU there.',
      market: 0.1,
    },
    revoked: {
      says: 'Consents that the PSU revokes by itself, 2 to 60 days after the SCA',
      expect: 'Stop, and tell the user at its next visit.',
      market: 0.05,
    },
    ownIds: {
      says: 'PSUs for whom each consent gives the accounts other resource ids',
      expect: 'Recognise an account by its IBAN and currency.',
      market: 0.2,
    },
  },
  accounts: {
    closed: {
      says: 'Accounts that are closed within a year: status deleted, nothing is booked any more',
      expect: 'Keep what was read, and stop reading it.',
      market: 0.02,
    },
    blocked: {
      says: 'Accounts that are blocked for two weeks of a year: payments are rejected',
      expect: 'Show the status; it may be enabled again.',
      market: 0.02,
    },
    added: {
      says: 'Further accounts of a PSU that are opened within a year, and then are in lists under allPsd2',
      expect: 'Read the list again each time.',
      market: 0.05,
    },
    ibanChanged: {
      says: 'Accounts whose IBAN changes within a year; the old one leads to them for 90 days',
      expect: 'Recognise the account by its resourceId, and take the new IBAN.',
      market: 0.02,
    },
    ownershipEnded: {
      says: 'Joint accounts that the second owner leaves within a year',
      expect: 'Take an account away that is no longer in the list.',
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
