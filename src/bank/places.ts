/**
 * Where facts belong, as gateways that share a store divide them: each has one home, the partition of its TPP, and may
 * touch others besides, by which what concerns a PSU or an account is found to have moved.
 */
import { bearsOtherName, type LedgerFamilies, nameOf } from '../ledger/index.js';
import { isFixedIdentifier } from '../spec/index.js';
import type { BankFamilies } from './facts.js';
import { bankNameOf } from './names.js';

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
  /** What is found without the TPP that it is of has one of a few partitions, by the name that it is found under. */
  name: (name: string): string => `name:${bucketOf(name)}`,
} as const;

/** May be true of a home, too: whoever names its TPP so. */
export const isTag = (partition: string): boolean => TAG.test(partition);
const TAG = /^(?:psu|account|name):/;
const BUCKETS = 64;

function bucketOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return (hash >>> 0) % BUCKETS;
}

const NO_TAGS: readonly string[] = [];

type Families = LedgerFamilies & BankFamilies;
type Family = keyof Families;
type OfTpp = { readonly tpp: string | null };
type PlaceIn<F> = readonly [
  home: (fact: F, key: string) => string | null,
  tags?: (fact: F) => readonly (string | null)[],
  /** Where facts may come to have a name of the index. The partitions of those that have it are looked at in any case. */
  under?: (name: string) => readonly string[],
];

const ofTpp = ({ tpp }: OfTpp) => tpp;
const ofAll = () => null;
/** A literal id of the sandbox is given to all TPPs alike, and has a place of its own. */
const ofLiteral = (key: string) => (isFixedIdentifier(key) ? `id:${key}` : null);
const ofLiteralOrTpp = ({ tpp }: OfTpp, key: string) => ofLiteral(key) ?? tpp;
const psuOf = ({ psu }: { readonly psu: string | null }) => (psu === null ? null : tagOf.psu(psu));
const accountOf = (id: string | null) => (id === null ? null : tagOf.account(id));
/** What another TPP uses up as well, is found by its key alone. */
const isOfAnyone = (use: string) => /^(?:code|refresh) \S+$/.test(use);
export const partitionOfUse = (use: string) => (isOfAnyone(use) ? tagOf.name(use) : null);

/** What operators do to an account moves on the account alone, and the IBANs that lead to it. */
const ofAccount = (key: string) => tagOf.account(key);
const ibanName = (iban: string) => tagOf.account(bankNameOf.iban(iban));

/** Consents that a TPP has open are found by PSU and TPP: of these its own partition tells. */
const underPsu = (name: string) => {
  const psu = bankNameOf.psuIn(name);
  return psu === null ? NO_TAGS : [tagOf.psu(psu)];
};

const PLACES = {
  consents: [ofTpp],
  payments: [ofTpp],
  authorisations: [ofLiteralOrTpp],
  authorizes: [
    ofTpp,
    (fact) => [bearsOtherName(fact) ? tagOf.name(nameOf.tpp(fact.clientId)) : null],
    (name) => [name.startsWith(nameOf.client('')) ? COMMON_PARTITION : tagOf.name(name)],
  ],
  codes: [ofLiteralOrTpp],
  tokens: [ofTpp],
  refreshTokens: [ofTpp],
  accesses: [ofTpp],
  usedOnce: [ofTpp],
  // Kept by no store.
  requestIds: [ofAll],
  polls: [ofAll],
  links: [
    ofTpp,
    ({ path }) => [tagOf.name(nameOf.end(path))],
    (name) => (name.startsWith(nameOf.end('')) ? [tagOf.name(name)] : []),
  ],
  dropped: [ofTpp],
  uses: [ofTpp, ({ keys }) => keys.map(partitionOfUse)],
  bankConsents: [ofTpp, (fact) => [psuOf(fact)], underPsu],
  bankAuthorisations: [ofTpp, (fact) => [fact.approach === 'decoupled' ? psuOf(fact) : null], underPsu],
  bankPayments: [ofTpp, (fact) => [psuOf(fact), accountOf(fact.debtor), accountOf(fact.creditor)], underPsu],
  bankBodies: [ofTpp],
  bankCodes: [ofTpp],
  bankTokens: [ofTpp],
  bankOutcomes: [ofAll],
  bankFaults: [ofAll],
  bankAccounts: [
    (_, key) => ofAccount(key),
    ({ iban, formerIbans = [] }) => [iban ?? [], formerIbans.map((one) => one.iban)].flat().map(ibanName),
    (name) => [tagOf.account(name)],
  ],
} as const satisfies { readonly [F in keyof Families]: PlaceIn<Families[F]> };

/** A fact of these may have no TPP: who finds none has looked at the common partition. */
const HOMELESS: ReadonlySet<string> = new Set<keyof Families>([
  'authorizes',
  'codes',
  'usedOnce',
  'bankOutcomes',
  'bankFaults',
]);

const LITERAL: ReadonlySet<string> = new Set<keyof Families>(['authorisations', 'codes']);

/** Where a fact comes to be that is not there yet, beside the partition of whoever looked; null: there alone. */
export function homeOfNone(family: Family, key: string): string | null {
  if (family === 'bankAccounts') return ofAccount(key);
  const literal = LITERAL.has(family) ? ofLiteral(key) : null;
  return literal ?? (HOMELESS.has(family) ? COMMON_PARTITION : null);
}

export function homeOf(family: Family, key: string, fact: object): string {
  const [home] = PLACES[family] as PlaceIn<unknown>;
  return home(fact, key) ?? COMMON_PARTITION;
}

/** Beside the homes of the facts that have the name already. */
export function partitionsUnder(family: Family, name: string): readonly string[] {
  const [, , under] = PLACES[family] as PlaceIn<unknown>;
  return under?.(name) ?? NO_TAGS;
}

export function placeOf(family: Family, key: string, fact: object): Place {
  const [, tags] = PLACES[family] as PlaceIn<unknown>;
  const given = tags?.(fact).filter((tag) => tag !== null) ?? NO_TAGS;
  return { home: homeOf(family, key, fact), tags: given };
}
