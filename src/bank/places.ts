/**
 * Where facts belong, as gateways that share a store divide them: each has one home, the partition of its TPP, and may
 * touch others besides, by which what concerns a PSU or an account is found to have moved.
 */
import type { LedgerFamilies } from '../ledger/index.js';
import type { BankFamilies } from './facts.js';

/** Of what has no TPP. */
export const COMMON_PARTITION = '';

export interface Place {
  readonly home: string;
  /** Partitions that a change of it moves on besides. */
  readonly tags: readonly string[];
}

export const tagOf = {
  psu: (id: string): string => `psu:${id}`,
  account: (id: string): string => `account:${id}`,
} as const;

type Families = LedgerFamilies & BankFamilies;
type Family = keyof Families;
type PlaceIn<F> = readonly [home: (fact: F) => string | null, tags?: (fact: F) => readonly (string | null)[]];

const ofTpp = ({ tpp }: { readonly tpp: string | null }) => tpp;
const ofAll = () => null;
const psuOf = ({ psu }: { readonly psu: string | null }) => (psu === null ? null : tagOf.psu(psu));
const accountOf = (id: string | null) => (id === null ? null : tagOf.account(id));

const PLACES = {
  consents: [ofTpp],
  payments: [ofTpp],
  authorisations: [ofTpp],
  authorizes: [ofTpp],
  codes: [ofTpp],
  tokens: [ofTpp],
  refreshTokens: [ofTpp],
  accesses: [ofTpp],
  usedOnce: [ofTpp],
  // Kept by no store.
  requestIds: [ofAll],
  polls: [ofAll],
  links: [ofTpp],
  uses: [ofTpp],
  bankConsents: [ofTpp, (fact) => [psuOf(fact)]],
  bankAuthorisations: [ofTpp],
  bankPayments: [ofTpp, (fact) => [psuOf(fact), accountOf(fact.debtor), accountOf(fact.creditor)]],
  bankCodes: [ofTpp],
  bankTokens: [ofTpp],
  bankOutcomes: [ofAll],
} as const satisfies { readonly [F in keyof Families]: PlaceIn<Families[F]> };

const HOMELESS: ReadonlySet<string> = new Set<keyof Families>([
  'authorizes',
  'codes',
  'usedOnce',
  'bankOutcomes',
]);

/** Whether a fact of the family may have no TPP: who finds none has looked at the common partition. */
export const mayBeCommon = (family: Family): boolean => HOMELESS.has(family);

const NO_TAGS: readonly string[] = [];

export function homeOf(family: Family, fact: object): string {
  const [home] = PLACES[family] as PlaceIn<unknown>;
  return home(fact) ?? COMMON_PARTITION;
}

export function placeOf(family: Family, fact: object): Place {
  const [, tags] = PLACES[family] as PlaceIn<unknown>;
  const given = tags?.(fact).filter((tag) => tag !== null) ?? NO_TAGS;
  return { home: homeOf(family, fact), tags: given };
}
