/** The facts of the living bank in memory, with what is looked up beside them. */
import { FactFamily, type Family, type Looks } from '../ledger/index.js';
import type { BankChange, BankFamilies, BankFamily, BankPayment } from './facts.js';
import { BANK_INDEXES } from './names.js';
import { PaymentIndex, type PaymentsView } from './payment-index.js';

/** What handlers of the bank read: each look is noted. */
export type BankView = { readonly [F in BankFamily]: Family<BankFamilies[F]> } & {
  readonly payments: PaymentsView;
  /** What is seen once the changes are made; the state itself is left as it was. */
  readonly seenWith: <T>(changes: readonly BankChange[], look: () => T) => T;
};

export type BankState = { readonly [F in BankFamily]: FactFamily<BankFamilies[F]> } & {
  readonly payments: PaymentIndex;
  readonly holdings: Holdings;
  readonly seenWith: BankView['seenWith'];
};

/** Where looks are told: at a family, and at an account. */
export interface BankLooks {
  readonly family: (family: BankFamily) => Looks;
  readonly account: (id: string) => void;
}

export function createBankState(changes: Iterable<BankChange> = [], looks?: BankLooks): BankState {
  const family = <F extends BankFamily>(name: F) =>
    new FactFamily<BankFamilies[F]>(BANK_INDEXES[name], looks?.family(name));
  const state: BankState = {
    bankConsents: family('bankConsents'),
    bankAuthorisations: family('bankAuthorisations'),
    bankPayments: family('bankPayments'),
    bankBodies: family('bankBodies'),
    bankCodes: family('bankCodes'),
    bankTokens: family('bankTokens'),
    bankOutcomes: family('bankOutcomes'),
    bankFaults: family('bankFaults'),
    bankAccounts: family('bankAccounts'),
    payments: new PaymentIndex(looks?.account),
    holdings: new Holdings(),
    seenWith: (changes, look) => lookWith(state, changes, look),
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
  return { family, key, fact: state[family].peek(key) ?? null } as BankChange;
}

/** Moves the state on in place. */
export function applyBankChange(state: BankState, { family, key, fact }: BankChange): void {
  const facts = state[family] as FactFamily<BankFamilies[BankFamily]>;
  leave(state, family, key);
  if (fact === null) {
    facts.drop(key);
    return;
  }
  if (family === 'bankBodies') {
    const { tpp, bytes } = fact;
    facts.put(key, { tpp, bytes });
    state.holdings.enter(tpp, family, key, bytes);
    return;
  }
  const length = facts.putMeasured(key, fact);
  if (family === 'bankPayments') state.payments.enter(fact);
  if ('tpp' in fact) state.holdings.enter(fact.tpp, family, key, length);
  else if (family === 'bankAccounts') state.holdings.enter(OPERATORS, family, key, length);
}

/** In the place of a TPP: what operators did to accounts. No name of a TPP is empty. */
export const OPERATORS = '';

/** A payment that the index enters has one of these members; text without any of them need not be read. */
const INDEXED = /"(?:watch":\{|dueAt":\d|execution":\{)/;

/** As `applyBankChange`, of a fact as a store has it. */
export function applyBankText(state: BankState, { family, key, text }: BankText): void {
  if (family === 'bankBodies') {
    applyBankChange(state, { family, key, fact: JSON.parse(text) });
    return;
  }
  leave(state, family, key);
  state[family].putText(key, text);
  const tpp = TPP.exec(text)?.[1];
  if (tpp !== undefined) state.holdings.enter(JSON.parse(tpp), family, key, text.length);
  else if (family === 'bankAccounts') state.holdings.enter(OPERATORS, family, key, text.length);
  if (family === 'bankPayments' && INDEXED.test(text)) state.payments.enter(JSON.parse(text) as BankPayment);
}

/** Of any fact that has one, it stands before all that a TPP may have written. */
const TPP = /"tpp":("(?:[^"\\]|\\.)*")/;

function leave(state: BankState, family: BankFamily, key: string): void {
  const before = state[family].peek(key);
  if (before === undefined) return;
  if (family === 'bankPayments') state.payments.leave(before as BankPayment);
  if ('tpp' in before) state.holdings.leave(before.tpp, family, key);
  else if (family === 'bankAccounts') state.holdings.leave(OPERATORS, family, key);
}

export function applyBankChanges(state: BankState, changes: Iterable<BankChange>): void {
  for (const change of changes) applyBankChange(state, change);
}

function lookWith<T>(state: BankState, changes: readonly BankChange[], look: () => T): T {
  const back = changes.map((change) => bankChangeBack(state, change));
  applyBankChanges(state, changes);
  try {
    return look();
  } finally {
    applyBankChanges(state, back);
  }
}

interface Held {
  bytes: number;
  /** Bytes by family and key, those first that changed longest ago. */
  readonly facts: Map<string, number>;
  /** Nothing more leaves before then, epoch ms: it was looked through. */
  fullUntil: number;
}

/** Beside its JSON a fact takes about so many bytes. */
const OVERHEAD = 200;

class Holdings {
  readonly #byTpp = new Map<string, Held>();
  #bytes = 0;

  enter(tpp: string, family: BankFamily, key: string, length: number): void {
    let held = this.#byTpp.get(tpp);
    if (held === undefined) {
      held = { bytes: 0, facts: new Map(), fullUntil: 0 };
      this.#byTpp.set(tpp, held);
    }
    held.facts.set(`${family} ${key}`, length + OVERHEAD);
    held.bytes += length + OVERHEAD;
    this.#bytes += length + OVERHEAD;
  }

  leave(tpp: string, family: BankFamily, key: string): void {
    const held = this.#byTpp.get(tpp);
    const bytes = held?.facts.get(`${family} ${key}`);
    if (held === undefined || bytes === undefined) return;
    held.facts.delete(`${family} ${key}`);
    held.bytes -= bytes;
    this.#bytes -= bytes;
    if (held.facts.size === 0) this.#byTpp.delete(tpp);
  }

  get bytes(): number {
    return this.#bytes;
  }

  bytesOf(tpp: string): number {
    return this.#byTpp.get(tpp)?.bytes ?? 0;
  }

  heaviest(): string | undefined {
    let [heaviest, most]: [string | undefined, number] = [undefined, 0];
    for (const [tpp, { bytes }] of this.#byTpp)
      if (bytes > most && tpp !== OPERATORS) [heaviest, most] = [tpp, bytes];
    return heaviest;
  }

  isFull(tpp: string, now: number): boolean {
    const until = this.#byTpp.get(tpp)?.fullUntil ?? 0;
    // Of a clock that was set back the look counts no more.
    return until > now && until <= now + LOOK_AGAIN_MS;
  }

  setFull(tpp: string, now: number): void {
    const held = this.#byTpp.get(tpp);
    if (held !== undefined) held.fullUntil = now + LOOK_AGAIN_MS;
  }

  *oldest(tpp: string): IterableIterator<readonly [family: BankFamily, key: string, bytes: number]> {
    for (const [name, bytes] of this.#byTpp.get(tpp)?.facts ?? []) {
      const space = name.indexOf(' ');
      yield [name.slice(0, space) as BankFamily, name.slice(space + 1), bytes];
    }
  }
}

/** All facts of a TPP that is full are looked through once in so many ms. */
const LOOK_AGAIN_MS = 10_000;
