/** Where worlds stand, in memory. */
import { homeOf } from '../../bank/index.js';
import type { AuthorizeFact } from '../../ledger/index.js';
import type { Move } from '../driver.js';
import { type AwaitedRequest, MOST_AWAITED, type Owner } from '../port.js';
import { type Caught, type Rest, type Standing, StoreMoved } from '../standing.js';
import { newest, withoutTurn } from './layers.js';
import type { Memory, MemoryStanding } from './rows.js';

function standingOf({ standings }: Memory, world: string): MemoryStanding {
  const known = standings.get(world) ?? { epoch: 0, steps: 0, header: {}, versions: new Map() };
  standings.set(world, known);
  return known;
}

export function checkRests(memory: Memory, rests: readonly Rest[]): void {
  const moved = rests.flatMap(({ world, epoch, versions }) => {
    const now = standingOf(memory, world);
    if (now.epoch !== epoch) return { world, partitions: [] };
    const partitions = [...versions].flatMap(([name, version]) =>
      (now.versions.get(name) ?? 0) === version ? [] : name,
    );
    return partitions.length === 0 ? [] : { world, partitions };
  });
  if (moved.length > 0) throw new StoreMoved(moved);
}

export function moveOn(memory: Memory, { world, partitions, header, steps }: Move): void {
  const standing = standingOf(memory, world);
  for (const name of partitions) standing.versions.set(name, (standing.versions.get(name) ?? 0) + 1);
  if (header !== null) standing.header = header;
  standing.steps += steps;
  if (steps > 0 || header !== null) standing.epoch += 1;
}

export function readStanding(memory: Memory, world: string): Standing {
  const standing = standingOf(memory, world);
  return { ...standing, versions: new Map(standing.versions), cursor: memory.turn };
}

export function readCaught(memory: Memory, world: string, known: Standing): Caught {
  const { versions, ...standing } = standingOf(memory, world);
  const since = known.cursor as number;
  const isAnew = standing.steps !== known.steps;
  const facts = isAnew ? [] : [...newest(memory, world).facts.values()].filter(({ turn }) => turn > since);
  const moved = [...versions].filter(([name, version]) => version !== known.versions.get(name));
  return {
    ...standing,
    isAnew,
    versions: new Map(moved),
    facts: facts.map(withoutTurn),
    cursor: memory.turn,
  };
}

export function readAwaited(memory: Memory): AwaitedRequest[] {
  const found: (AwaitedRequest & { readonly turn: number })[] = [];
  for (const world of new Set(memory.layers.map((layer) => layer.world)))
    for (const { family, fact, turn } of newest(memory, world).facts.values()) {
      const request = family === 'authorizes' ? (fact as AuthorizeFact | null) : null;
      if (request?.awaited !== undefined) found.push({ world, turn, fact: request });
    }
  found.sort((one, other) => other.turn - one.turn);
  return found.slice(0, MOST_AWAITED).map(({ world, fact }) => ({ world, fact }));
}

export function readOwner(memory: Memory, authorisation: string): Owner | null {
  for (const family of ['bankAuthorisations', 'authorisations'] as const)
    for (const { world, facts } of memory.layers.toReversed()) {
      const fact = facts.get(`${family} ${authorisation}`)?.fact;
      if (!fact) continue;
      const home = homeOf(family, authorisation, fact);
      const { versions, steps } = standingOf(memory, world);
      return { world, home, version: versions.get(home) ?? 0, steps };
    }
  return null;
}

/** A world whose session is removed: whoever knows it finds that it moved. */
export function forgetWorld(memory: Memory, world: string): void {
  const standing = memory.standings.get(world);
  if (standing === undefined) return;
  standing.epoch += 1;
  standing.steps += 1;
  standing.header = {};
  standing.versions.clear();
}
