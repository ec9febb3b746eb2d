/** A world: what was learned of TPPs, and what the living bank remembers of them. Calls of two worlds never meet. */
import type { LedgerState } from '../ledger/index.js';
import {
  applyFact,
  createLine,
  type FactChange,
  factBack,
  heldIn,
  inFamily,
  type Line,
  type Snapshot,
  type StoredFact,
} from './line.js';
import { homeOf } from './places.js';
import { applyBankText, type BankState } from './state.js';

export interface World {
  /** Of its session; empty: that of calls that name none. */
  readonly name: string;
  readonly ledger: LedgerState;
  readonly bank: BankState;
  /** What stands behind these two; another one after a reset. */
  line: Line;
  /** By name, in the order in which they were taken. */
  readonly snapshots: Map<string, Snapshot>;
  /** How many befell it since it is known; of a world that others move on too, as the store counts them. */
  steps: number;
}

/** With what is known of it, those facts first that changed longest ago. */
export function createWorld(facts: Iterable<FactChange> = [], name = '', line = createLine()): World {
  const world: World = {
    name,
    line,
    snapshots: new Map(),
    steps: 0,
    get ledger() {
      return this.line.ledger;
    },
    get bank() {
      return this.line.bank;
    },
  };
  applyFacts(world, facts);
  return world;
}

/** What takes these changes back, to be asked before they are applied. */
export function factsBack({ line }: World, changes: readonly FactChange[]): FactChange[] {
  return changes.map((change) => factBack(line, change));
}

export function applyFacts({ line }: World, changes: Iterable<FactChange>): void {
  for (const change of changes) {
    if (line.base !== null) remember(line, change);
    applyFact(line, change);
  }
}

export function applyStored({ line }: World, facts: Iterable<StoredFact>): void {
  for (const stored of facts) {
    if (line.base !== null) remember(line, stored);
    if ('text' in stored) applyBankText(line.bank, stored);
    else applyFact(line, stored);
  }
}

/** What another gateway changed. A removal goes past a fact that has found another home meanwhile. */
export function applyCaught(world: World, facts: Iterable<StoredFact & { readonly home?: string }>): void {
  for (const caught of facts) {
    const { family, home } = caught;
    const held = home === undefined || 'text' in caught ? undefined : factBack(world.line, caught).fact;
    if (held == null || homeOf(family, caught.key, held) === home) applyStored(world, [caught]);
  }
}

/** What a fact was at the last snapshot, where this is its first change since. */
function remember(line: Line, { family, key }: Pick<FactChange, 'family' | 'key'>): void {
  const facts = inFamily(line.changed, family);
  if (!facts.has(key)) facts.set(key, heldIn(line, family, key));
}
