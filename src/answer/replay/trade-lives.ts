/**
 * Clients that began with equal calls are told apart when they go on. Which recorded life each of them lives is open as
 * long as all that it was told is the same in another one: where a call finds nothing, they trade lives.
 */
import type { Flow } from './authorization-calls.js';
import type { AuthorizationRequests } from './authorization-requests.js';
import type { Bindings } from './bindings.js';
import type { Entry } from './entries.js';
import { stateOf } from './journeys.js';
import { type Item, type Life, type Lives, readLives, readOf } from './lives.js';
import type { Recording } from './open-recording.js';
import { rewind } from './pick.js';
import type { Template } from './template.js';

export interface LifeTrade {
  /**
   * Lets the client that these recorded values name live one life after the other, of those that hold one of the items,
   * until `find` gives something. null: it never does, and everything is as it was.
   */
  readonly until: <T>(values: readonly string[], items: Iterable<Item>, find: () => T | null) => T | null;
}

export interface LifeTradeParts {
  readonly bindings: Bindings;
  readonly authorizationRequests: AuthorizationRequests;
  readonly templateOf: (entry: Entry) => Template;
}

/** So many times at most, for one call, two lives are compared. */
const MOST_COMPARED = 5_000;

/** What was used of a life, and what stands for it in another one. */
export type Moves = readonly (readonly [used: Item, instead: Item])[];

export function createLifeTrade(recording: Recording, parts: LifeTradeParts): LifeTrade {
  const { bindings, authorizationRequests, templateOf } = parts;
  const told = new Map<Item, string>();
  let lives: Lives | null = null;

  const toldBy = (item: Item, { roles }: Life): string => {
    const known = told.get(item);
    if (known !== undefined) return known;
    const nameOf = (value: string) => roles.get(value) ?? value;
    const text =
      'fields' in item && item.flow === null ? templateOf(item).told(nameOf) : outcomeText(item.flow, nameOf);
    told.set(item, text);
    return text;
  };

  /** null where the client of one life was told what the other one does not have. */
  const movesTo = (from: Life, to: Life): Moves | null => {
    const moves: (readonly [Item, Item])[] = [];
    for (const [key, items] of from.items) {
      for (const [i, used] of items.entries()) {
        if (used.uses === 0) continue;
        const alike = to.items.get(key) ?? [];
        const last = alike.at(-1);
        const instead = alike[i] ?? (last !== undefined && staysTrue(last) ? last : undefined);
        if (instead === undefined || toldBy(used, from) !== toldBy(instead, to)) return null;
        moves.push([used, instead]);
      }
    }
    return moves;
  };

  return {
    until: (values, items, find) => {
      lives ??= readLives(recording);
      const left = lives.named(values);
      if (left === undefined || left.kin.length < 2) return null;
      let compared = 0;
      const fits = (from: Life, to: Life): boolean =>
        ++compared <= MOST_COMPARED && movesTo(from, to) !== null;
      const tried = new Set([left]);
      /** From these no way leads back. */
      const dead = new Set<Life>();
      for (const item of items) {
        const taken = lives.of(item);
        if (taken === undefined || tried.has(taken) || dead.has(taken)) continue;
        tried.add(taken);
        const way = taken.kin === left.kin && fits(left, taken) ? wayBack(taken, left, dead, fits) : null;
        if (way === null) continue;
        const { undo, moves } = trade([left, ...way]);
        const found = find();
        if (found !== null) {
          authorizationRequests.moved(moves);
          return found;
        }
        undo();
      }
      return null;
    },
  };

  /** Each of these lives is lived by who lived the one before it, the first by who lived the last. */
  function trade(circle: readonly Life[]): { readonly moves: Moves; readonly undo: () => void } {
    const moves = circle.flatMap((life, i) => movesTo(life, circle[(i + 1) % circle.length] as Life) ?? []);
    const before = new Map(circle.flatMap(itemsOf).map((item) => [item, item.uses] as const));
    const after = new Map([...before.keys()].map((item) => [item, 0]));
    for (const [used, instead] of moves)
      after.set(instead, (after.get(instead) ?? 0) + (before.get(used) ?? 0));
    const set = (uses: ReadonlyMap<Item, number>) => {
      for (const [item, count] of uses) item.uses = count;
      for (const life of circle) settle(life);
    };
    const roles = new Set(circle.flatMap(({ names }) => [...names.keys()]));
    const rotations = [...roles].map((role) => circle.flatMap(({ names }) => names.get(role) ?? []));
    set(after);
    for (const rotation of rotations) bindings.rotate(rotation);
    return {
      moves,
      undo: () => {
        set(before);
        for (const rotation of rotations) bindings.rotate(rotation.toReversed());
      },
    };
  }
}

type Fits = (from: Life, to: Life) => boolean;

/** The shortest way on which clients hand on their lives, from the one that is taken to the one that is left. */
function wayBack(taken: Life, left: Life, dead: Set<Life>, fits: Fits): readonly Life[] | null {
  if (fits(taken, left)) return [taken];
  const ways = new Map<Life, readonly Life[]>([[taken, [taken]]]);
  for (const [last, way] of ways) {
    for (const next of left.kin) {
      if (ways.has(next) || dead.has(next) || next === left || !fits(last, next)) continue;
      const longer = [...way, next];
      if (fits(next, left)) return longer;
      ways.set(next, longer);
    }
  }
  for (const life of ways.keys()) dead.add(life);
  return null;
}

const itemsOf = ({ items }: Life): Item[] => [...items.values()].flat();

/** What was read before a change that is still to come is true however often it is read. */
function staysTrue(item: Item): boolean {
  const reads = readOf(item);
  if (reads === null) return false;
  const { journey, part } = reads;
  return stateOf(journey, part) < stateOf(journey, journey.writes.length);
}

/** After items of a life were used otherwise: where this run is in it, and what it gives next. */
function settle(life: Life): void {
  const parts = itemsOf(life).flatMap((item) =>
    item.uses === 0 ? [] : [item.opens, readOf(item)].flatMap((touched) => touched?.part ?? []),
  );
  if (life.journey !== null) life.journey.current = parts.length === 0 ? null : Math.max(...parts);
  for (const { queue, candidates } of life.places) {
    rewind(queue);
    candidates.byPlaces.clear();
  }
}

function outcomeText(flow: Flow | null, nameOf: (value: string) => string): string {
  if (flow?.outcome.kind !== 'redirect') return `${flow?.outcome.kind}`;
  const { outcome } = flow;
  const told = outcome.parameters.filter(([name]) => name !== 'state');
  return JSON.stringify([outcome.base, told.map(([name, value]) => [name, nameOf(value)])]);
}
