/**
 * Where facts belong, as gateways that share a store divide them: each has one home, the partition of its TPP, and may
 * touch others besides, by which what concerns a PSU or an account is found to have moved.
 */
import type { LedgerFamilies } from '../ledger/index.js';
import { isFixedIdentifier } from '../spec/index.js';
import type { BankFamilies } from './facts.js';

/** Of what has no TPP, and nothing else of its own. */
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

/** May be true of a home, too: whoever names its TPP so. */
export const isTag = (partition: string): boolean => TAG.test(partition);
const TAG = /^(?:psu|account):/;

type Families = LedgerFamilies & BankFamilies;
type Family = keyof Families;
type OfTpp = { readonly tpp: string | null };
type PlaceIn<F> = readonly [
  home: (fact: F, key: string) => string | null,
  tags?: (fact: F) => readonly (string | null)[],
];

const ofTpp = ({ tpp }: OfTpp) => tpp;
const ofAll = () => null;
/** A literal id of the sandbox is given to all TPPs alike, and has a place of its own. */
const ofLiteral = (key: string) => (isFixedIdentifier(key) ? `id:${key}` : null);
const ofLiteralOrTpp = ({ tpp }: OfTpp, key: string) => ofLiteral(key) ?? tpp;
const psuOf = ({ psu }: { readonly psu: string | null }) => (psu === null ? null : tagOf.psu(psu));
const accountOf = (id: string | null) => (id === null ? null : tagOf.account(id));

const PLACES = {
  consents: [ofTpp],
  payments: [ofTpp],
  authorisations: [ofLiteralOrTpp],
  authorizes: [ofTpp],
  codes: [ofLiteralOrTpp],
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

const LITERAL: ReadonlySet<string> = new Set<keyof Families>(['authorisations', 'codes']);

/** Where a fact comes to be that is not there yet, beside the partition of whoever looked; null: there alone. */
export function homeOfNone(family: Family, key: string): string | null {
  const literal = LITERAL.has(family) ? ofLiteral(key) : null;
  return literal ?? (mayBeCommon(family) ? COMMON_PARTITION : null);
}

const NO_TAGS: readonly string[] = [];

export function homeOf(family: Family, key: string, fact: object): string {
  const [home] = PLACES[family] as PlaceIn<unknown>;
  return home(fact, key) ?? COMMON_PARTITION;
}

export function placeOf(family: Family, key: string, fact: object): Place {
  const [, tags] = PLACES[family] as PlaceIn<unknown>;
  const given = tags?.(fact).filter((tag) => tag !== null) ?? NO_TAGS;
  return { home: homeOf(family, key, fact), tags: given };
}
