/** The names under which facts of the living bank are found beside their keys. */
import type { Index } from '../ledger/index.js';
import type {
  BankAccount,
  BankAuthorisation,
  BankConsent,
  BankFamilies,
  BankFamily,
  BankPayment,
} from './facts.js';

const PSU = 'psu ';

export const bankNameOf = {
  /** Consents that this PSU gave, payments that it authorised, and what the bank asks it to confirm. */
  psu: (psu: string): string => PSU + psu,
  /** Consents that this PSU gave this TPP and that have no end. */
  open: (tpp: string, psu: string): string => `open ${tpp} ${psu}`,
  /** Tokens that go back to a code. */
  code: (code: string): string => `from ${code}`,
  /** Accounts that an operator gave this IBAN, or took it from. */
  iban: (iban: string): string => `iban ${iban}`,
  psuIn: (name: string): string | null => (name.startsWith(PSU) ? name.slice(PSU.length) : null),
} as const;

const mayHaveName = (text: string): boolean => text.includes('"psu":"');

const consentNames = ({ psu, tpp, end }: BankConsent): readonly string[] => {
  if (psu === null) return NONE;
  return end === null ? [bankNameOf.psu(psu), bankNameOf.open(tpp, psu)] : [bankNameOf.psu(psu)];
};
const paymentNames = ({ psu }: BankPayment): readonly string[] =>
  psu === null ? NONE : [bankNameOf.psu(psu)];
const confirmationNames = ({ approach, psu }: BankAuthorisation): readonly string[] =>
  approach !== 'decoupled' || psu === null ? NONE : [bankNameOf.psu(psu)];
const ibansOf = ({ iban, formerIbans = [] }: BankAccount): readonly string[] =>
  [iban ?? [], formerIbans.map((former) => former.iban)].flat().map(bankNameOf.iban);

const NONE: readonly string[] = [];

/** Few tokens of one code are in use: a loop that refreshes must not push out other facts. */
export const MOST_OF_CODE = 40;

export const BANK_INDEXES: { readonly [F in BankFamily]?: Index<BankFamilies[F]> } = {
  bankConsents: { namesOf: consentNames, mayHaveName },
  bankPayments: { namesOf: paymentNames, mayHaveName },
  bankAuthorisations: {
    namesOf: confirmationNames,
    mayHaveName: (text) => text.includes('"approach":"decoupled"'),
  },
  bankAccounts: { namesOf: ibansOf },
  bankTokens: { namesOf: ({ code }) => [bankNameOf.code(code)] },
};
