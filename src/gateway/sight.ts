/** What a call looked at, where gateways share a store: it counts only as long as no other one has moved that on. */
import { COMMON_PARTITION, type FactChange, type World } from '../bank/index.js';
import type { Call } from '../exchange/index.js';
import { ownerOf, type Reservation, useFact } from '../ledger/index.js';
import { hasMoved, type Known, type Resting } from '../recorder/index.js';
import { StoreMoved } from '../store/index.js';

export interface Sight {
  readonly known: Known;
  readonly world: string;
  readonly looked: Set<string>;
  since: number;
}

export function openSight(call: Call, { name }: Pick<World, 'name'>, known: Known): Sight {
  const looked = new Set([ownerOf(call) ?? COMMON_PARTITION]);
  return { known, looked, world: name, since: known.turn };
}

/** What is looked at from now on in this turn is noted, until somebody else begins or `lookAway`. */
export function look(sight: Sight | undefined): void {
  if (sight !== undefined) sight.known.reads.into = sight.looked;
}

export function lookAway(sight: Sight | undefined): void {
  if (sight !== undefined) sight.known.reads.into = null;
}

export const restingOf = (sight: Sight | undefined): Resting | undefined =>
  sight && { world: sight.world, partitions: sight.looked };

export function checkSight(sight: Sight | undefined): void {
  if (sight !== undefined && hasMoved(sight.known, sight.looked, sight.since)) throw new StoreMoved([]);
}

/** What a call that is sent on uses up, for the other gateways; and that it does so no more. */
export function useChange(call: Call, held: Reservation, until: number): FactChange {
  return { family: 'uses', key: call.id, fact: useFact(call, held, until) };
}

export const unuseChange = (call: Call): FactChange => ({ family: 'uses', key: call.id, fact: null });

/** Uses whose gateway has ended without an end of theirs, by the machine's time. */
export function* endedUses({ ledger }: Pick<World, 'ledger'>, machine: number): IterableIterator<FactChange> {
  for (const { call, until } of ledger.uses.values()) {
    if (until > machine) return;
    yield { family: 'uses', key: call, fact: null };
  }
}
