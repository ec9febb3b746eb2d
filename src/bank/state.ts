/** The facts of the living bank in memory, with what is looked up beside them. */
import { FactMap } from './fact-map.js';
import type { BankChange, BankFamilies, BankFamily } from './facts.js';
import { NotedBankFacts, NotedIndex, type Reads } from './noted-maps.js';
import {
  createPaymentIndex,
  enter,
  enterPayment,
  leave,
  leavePayment,
  type PaymentIndex,
} from './payment-index.js';

export type BankFacts = { readonly [F in BankFamily]: FactMap<BankFamilies[F]> };

export interface BankState extends BankFacts {
  /** Ids of the consents that a PSU gave and that have no end, by `<tpp> <psu>`. */
  readonly consentsOf: Map<string, Set<string>>;
  /** Ids of all consents and payments that a PSU authorised, by its id. */
  readonly givenBy: Map<string, Set<string>>;
  readonly payments: PaymentIndex;
}

/** `reads`: where what is looked at is to be noted. */
export function createBankState(changes: Iterable<BankChange> = [], reads?: Reads): BankState {
  const facts = <T extends object>(family: BankFamily): FactMap<T> =>
    reads === undefined ? new FactMap() : new NotedBankFacts(family, reads);
  const index = <T>(kind: 'psu' | 'account'): Map<string, T> =>
    reads === undefined ? new Map() : new NotedIndex(kind, reads);
  const state: BankState = {
    bankConsents: facts('bankConsents'),
    bankAuthorisations: facts('bankAuthorisations'),
    bankPayments: facts('bankPayments'),
    bankCodes: facts('bankCodes'),
    bankTokens: facts('bankTokens'),
    bankOutcomes: facts('bankOutcomes'),
    consentsOf: new Map(),
    givenBy: index('psu'),
    payments: createPaymentIndex(() => index('account')),
  };
  applyBankChanges(state, changes);
  return state;
}

/** A fact as a store has it, in JSON. */
export interface BankText {
  readonly family: BankFamily;
  readonly key: string;
  readonly text: string;
}

/** What takes a change back, to be asked before it is applied. */
export function bankChangeBack(state: BankState, { family, key }: BankChange): BankChange {
  return { family, key, fact: state[family].get(key) ?? null } as BankChange;
}

/** Moves the state on in place. */
export function applyBankChange(state: BankState, change: BankChange): void {
  unindex(state, change);
  const facts = state[change.family] as Map<string, BankFamilies[BankFamily]>;
  // Deleted first: the order of a family is that of its newest changes, as it comes back from a store.
  facts.delete(change.key);
  if (change.fact !== null) facts.set(change.key, change.fact);
  index(state, change);
}

/** A consent or payment that `index` enters has one of these members; text without any of them need not be read. */
const INDEXED = /"(?:psu":"|watch":\{|dueAt":\d|execution":\{)/;

/** As `applyBankChange`, of a fact as a store has it. */
export function applyBankText(state: BankState, { family, key, text }: BankText): void {
  const facts = state[family];
  if (facts.has(key)) {
    unindex(state, { family, key, fact: null } as BankChange);
    facts.delete(key);
  }
  facts.setText(key, text);
  if ((family === 'bankConsents' || family === 'bankPayments') && INDEXED.test(text))
    index(state, { family, key, fact: JSON.parse(text) } as BankChange);
}

export function applyBankChanges(state: BankState, changes: Iterable<BankChange>): void {
  for (const change of changes) applyBankChange(state, change);
}

/** What is seen once the changes are made; the state itself is left as it was. */
export function lookWith<T>(state: BankState, changes: readonly BankChange[], look: () => T): T {
  const back = changes.map((change) => bankChangeBack(state, change));
  applyBankChanges(state, changes);
  try {
    return look();
  } finally {
    applyBankChanges(state, back);
  }
}

function index(state: BankState, { family, key, fact }: BankChange): void {
  if (fact === null) return;
  if (family === 'bankConsents' && fact.psu !== null && fact.end === null)
    enter(state.consentsOf, `${fact.tpp} ${fact.psu}`, key);
  if (family === 'bankPayments') enterPayment(state.payments, fact);
  if ((family === 'bankConsents' || family === 'bankPayments') && fact.psu !== null)
    enter(state.givenBy, fact.psu, key);
}

function unindex(state: BankState, { family, key }: BankChange): void {
  if (family === 'bankConsents') {
    const fact = state.bankConsents.get(key);
    if (fact !== undefined && fact.psu !== null) {
      leave(state.consentsOf, `${fact.tpp} ${fact.psu}`, key);
      leave(state.givenBy, fact.psu, key);
    }
  }
  if (family === 'bankPayments') {
    const fact = state.bankPayments.get(key);
    if (fact !== undefined) leavePayment(state.payments, fact);
    if (fact !== undefined && fact.psu !== null) leave(state.givenBy, fact.psu, key);
  }
}
