/** A small living bank for tests: three PSUs, their accounts, and facts that are right but for what a test is about. */
import {
  type Account,
  applyBankChanges,
  type BankAuthorisation,
  type BankConsent,
  type BankPayment,
  type BankState,
  type Books,
  consentChange,
  createBankState,
  openAuthorisation,
  type Population,
  type Posting,
} from '../../src/bank/index.js';

/** Noon, UTC. */
export const NOON = Date.parse('2026-03-02T12:00:00Z');
export const TPP = 'PSDNL-SBX-1234512345';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const account = (resourceId: string, iban: string, given: Partial<Account> = {}): Account => ({
  resourceId,
  iban,
  bic: 'SDGTBEBB',
  currency: 'EUR',
  name: `Account ${resourceId}`,
  product: 'Current account',
  cashAccountType: 'CACC',
  status: 'enabled',
  usage: 'PRIV',
  ownerName: 'Anna Peeters',
  owners: ['psu-1'],
  overdraft: 0,
  openedOn: 0,
  ...given,
});

export const ACCOUNTS: readonly Account[] = [
  account('acc-1', 'BE68539007547034'),
  account('acc-2', 'BE71096123456769', { currency: 'USD' }),
  account('acc-closed', 'BE91096123456700', { status: 'deleted' }),
  account('acc-joint', 'BE43068999999501', { owners: ['psu-1', 'psu-2'] }),
  account('acc-3', 'BE88063999999540', { owners: ['psu-2'], ownerName: 'Ben Claes' }),
];

/** Each account is given 1.00 a day, from day 0 on. */
export const POPULATION: Population = {
  seed: 42,
  count: 2,
  psus: () => ['psu-1', 'psu-2'].map(psuOf),
  psu: (id) => (/^psu-[12]$/.test(id) ? psuOf(id) : undefined),
  psuByLogin: (login) => (/^user[12]$/.test(login) ? psuOf(login.replace('user', 'psu-')) : undefined),
  accountsOf: (psu) => ACCOUNTS.filter(({ owners }) => owners.includes(psu)),
  account: (id) => ACCOUNTS.find(({ resourceId }) => resourceId === id),
  accountByIban: (iban) => ACCOUNTS.find((one) => one.iban === iban),
  postings: (id, day) => [posting(id, day)],
  balance: (_, day) => (day + 1) * 100,
  countPostings: (_, from, to) => Math.max(0, to - from + 1),
  postingsPage: (id, from, to, offset, limit) =>
    Array.from({ length: Math.max(0, Math.min(limit, to - from + 1 - offset)) }, (_, i) =>
      posting(id, to - offset - i),
    ),
};

function psuOf(id: string) {
  return { id, name: `User ${id}`, login: id.replace('psu-', 'user'), password: 'secret' };
}

function posting(id: string, day: number): Posting {
  return {
    id: `${id}-${day}`,
    account: id,
    bookingDay: day,
    valueDay: day,
    amount: 100,
    counterparty: { name: 'Payer', iban: 'BE88063999999540' },
    remittance: `Day ${day}`,
    bankTransactionCode: 'PMNT-RCDT-ESCT',
  };
}

export function aConsent(given: Partial<BankConsent> = {}): BankConsent {
  return {
    id: 'consent-1',
    tpp: TPP,
    createdAt: NOON,
    asked: { allPsd2: 'allAccounts' },
    access: { kind: 'allPsd2', accounts: [], balances: [], transactions: [], ownerNames: [] },
    recurring: true,
    frequencyPerDay: 4,
    validUntil: '2026-05-31',
    explicit: false,
    redirectUri: 'https://tpp.example/cb',
    nokRedirectUri: null,
    psu: null,
    scaAt: null,
    usedAt: null,
    historyAt: null,
    lastActionAt: NOON,
    end: null,
    authorisations: ['authorisation-1'],
    ...given,
  };
}

export function anAuthorisation(given: Partial<BankAuthorisation> = {}): BankAuthorisation {
  const opening = {
    id: 'authorisation-1',
    tpp: TPP,
    tppName: 'Test TPP',
    of: 'consent',
    resource: 'consent-1',
    redirectUri: 'https://tpp.example/cb',
    nokRedirectUri: null,
  } as const;
  return { ...openAuthorisation(opening, NOON), ...given };
}

/** 12.50 EUR from psu-1 to another bank, waiting for its SCA. */
export function aPayment(given: Partial<BankPayment> = {}): BankPayment {
  return {
    id: 'payment-1',
    tpp: TPP,
    product: 'sepa-credit-transfers',
    createdAt: NOON,
    body: {
      instructedAmount: { currency: 'EUR', amount: '12.50' },
      debtorAccount: { iban: 'BE68539007547034' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Fietsen Roeland',
      endToEndIdentification: 'E2E-1',
      remittanceInformationUnstructured: 'Invoice 1',
    },
    amount: 1250,
    currency: 'EUR',
    debtor: 'acc-1',
    creditor: null,
    explicit: false,
    psu: null,
    authorisedAt: null,
    dueAt: null,
    execution: null,
    cancelledAt: null,
    authorisations: [],
    cancellationAuthorisations: [],
    redirectUri: 'https://tpp.example/cb',
    nokRedirectUri: null,
    watch: null,
    ...given,
  };
}

/** Books whose state a test moves on. */
export type OwnBooks = Books & { readonly state: BankState };

/** Books with these consents, each with an authorisation of its own. */
export function booksOf(...consents: BankConsent[]): OwnBooks {
  const state = createBankState(consents.map(consentChange));
  for (const { id, authorisations } of consents)
    applyBankChanges(
      state,
      authorisations.map((key) => ({
        family: 'bankAuthorisations',
        key,
        fact: anAuthorisation({ id: key, resource: id }),
      })),
    );
  return { state, population: POPULATION };
}
