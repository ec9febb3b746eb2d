/** Facts in the layers of their worlds, in memory. */
import type { FactChange, StoredLayer, WorldStep } from '../../bank/index.js';
import type { Memory, MemoryLayer, TurnedFact } from './rows.js';

function addLayer(memory: Memory, world: string, parent: number | null): MemoryLayer {
  const id = (memory.layers.at(-1)?.id ?? 0) + 1;
  const layer: MemoryLayer = { id, world, parent, snapshot: null, facts: new Map() };
  memory.layers.push(layer);
  return layer;
}

export const newest = (memory: Memory, world: string): MemoryLayer =>
  memory.layers.findLast((layer) => layer.world === world) ?? addLayer(memory, world, null);

export function putFact(
  memory: Memory,
  world: string,
  { family, key, fact }: FactChange,
  isFollowed: boolean,
): void {
  const { facts, parent } = newest(memory, world);
  const name = `${family} ${key}`;
  facts.delete(name);
  if (fact !== null || parent !== null || isFollowed)
    facts.set(name, { family, key, fact, turn: ++memory.turn } as TurnedFact);
}

export function takeStep(memory: Memory, world: string, step: WorldStep): void {
  const named =
    'name' in step ? layersOf(memory, world).find((one) => one.snapshot?.name === step.name) : null;
  if (step.step === 'reset') addLayer(memory, world, null);
  else if (step.step === 'restore') {
    if (named) addLayer(memory, world, named.id);
  } else if (named) named.snapshot = null;
  if (step.step !== 'take') return;
  const { name, at, clock } = step;
  const layer = newest(memory, world);
  layer.snapshot = { name, at, clock };
  addLayer(memory, world, layer.id);
}

const layersOf = ({ layers }: Memory, world: string): MemoryLayer[] =>
  layers.filter((layer) => layer.world === world);

export function readLayers(memory: Memory, world: string): StoredLayer[] {
  return layersOf(memory, world).map(({ facts, ...layer }) => ({
    ...layer,
    facts: [...facts.values()].map(withoutTurn),
  }));
}

export const withoutTurn = ({ turn: _, ...change }: TurnedFact): FactChange => change as FactChange;

export function worldsOf({ layers }: Memory, authorisation: string): string[] {
  const knows = ({ facts }: MemoryLayer) =>
    ['authorisations', 'bankAuthorisations'].some((family) => facts.has(`${family} ${authorisation}`));
  return [...new Set(layers.filter(knows).map(({ world }) => world))];
}

/** Without layers that no world and no snapshot needs; one between two others becomes part of the later one. Gives how many. */
export function tidyLayers(memory: Memory): number {
  for (let gone = 0; ; gone++) {
    const { layers } = memory;
    const one = layers.find(
      (layer) =>
        layer.snapshot === null && newest(memory, layer.world) !== layer && followers(layer).length < 2,
    );
    if (one === undefined) return gone;
    function followers({ id }: MemoryLayer): MemoryLayer[] {
      return layers.filter(({ parent }) => parent === id);
    }
    const [next] = followers(one);
    if (next !== undefined) join(one, next);
    memory.layers = layers.filter((layer) => layer !== one);
  }
}

function join({ parent, facts }: MemoryLayer, next: MemoryLayer): void {
  const older = [...facts].filter(([name]) => !next.facts.has(name));
  const all = [...older, ...next.facts];
  next.facts = new Map(parent === null ? all.filter(([, { fact }]) => fact !== null) : all);
  next.parent = parent;
}
