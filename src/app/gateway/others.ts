/** What other gateways on the same store do to the worlds of this one: how far it is known, and how it is caught up with. */
import { applyCaught, reloadWorld, type StoredLayer } from '../../bank/index.js';
import type { Known, Others } from '../../recorder/index.js';
import {
  type Awaitable,
  after,
  type Caught,
  type CaughtFact,
  movesOf,
  type Rest,
  type Store,
  type WorldHeader,
} from '../../store/index.js';
import type { RunningWorld } from './worlds.js';

export interface OthersParts {
  readonly store: Pick<Store, 'worlds'>;
  /** One that is open, by its name. */
  readonly world: (name: string) => RunningWorld | undefined;
  /** What holds for a world as a whole was changed, which so many steps had befallen before. */
  readonly onHeader: (world: RunningWorld, header: WorldHeader, since: number) => void;
  /** These facts of a world were changed; null: all of it. */
  readonly onFacts: (world: RunningWorld, facts: readonly CaughtFact[] | null) => void;
}

/** A world as a store has it, where it is read to its end. */
interface Loaded {
  readonly world: RunningWorld;
  readonly caught: Caught;
  readonly layers: readonly StoredLayer[] | null;
  readonly stamp: unknown;
}

/** Of steps: so many never befell a world. */
const UNKNOWN = -1;

export function createOthers({ store, world, onHeader, onFacts }: OthersParts): Others {
  function load(running: RunningWorld, known: Known, partitions: readonly string[]): Awaitable<Loaded> {
    // Asked first: what is written meanwhile shows in the next one.
    const stamp = store.worlds.stamp(running.name);
    const asked = store.worlds.catchUp(
      running.name,
      { ...known.standing, versions: known.versions },
      partitions,
    );
    return after(
      asked,
      (caught): Awaitable<Loaded> =>
        caught.isAnew ? loadAnew(running, stamp) : { world: running, caught, layers: null, stamp },
    );
  }

  function loadAnew(running: RunningWorld, stamp: unknown): Awaitable<Loaded> {
    return after(store.worlds.standing(running.name), (standing) =>
      after(store.worlds.layers(running.name), (layers) => {
        return { world: running, layers, stamp, caught: { ...standing, isAnew: true, facts: [] } };
      }),
    );
  }

  /** Gives whether there was any news. */
  function apply({ world: running, caught, layers, stamp }: Loaded): boolean {
    const { known } = running;
    if (known == null) return false;
    const { versions, facts, isAnew: _, ...standing } = caught;
    const hasNewHeader = standing.epoch !== known.standing.epoch;
    const since = running.steps;
    known.turn += 1;
    if (layers !== null) {
      reloadWorld(running, layers, standing.steps);
      known.versions.clear();
    } else applyCaught(running, facts);
    for (const [partition, version] of versions) {
      known.versions.set(partition, version);
      known.movedAt.set(partition, known.turn);
    }
    if (hasNewHeader || layers !== null) known.anewAt = known.turn;
    known.standing = standing;
    known.stamp = stamp;
    if (hasNewHeader || layers !== null) onHeader(running, standing.header, since);
    if (layers !== null || facts.length > 0) onFacts(running, layers === null ? facts : null);
    return hasNewHeader || layers !== null || versions.size > 0;
  }

  return {
    restsOf: (looked) =>
      [...looked].map(([name, partitions]): Rest => {
        const known = world(name)?.known;
        const versions = new Map([...partitions].map((one) => [one, known?.versions.get(one) ?? 0]));
        const { epoch = 0, cursor } = known?.standing ?? {};
        return { world: name, epoch, versions, cursor };
      }),
    kept: ({ changes, headers = [] }) => {
      for (const { world: name, partitions, header, steps } of movesOf(changes, headers)) {
        const known = world(name)?.known;
        if (known == null) continue;
        for (const one of partitions) known.versions.set(one, (known.versions.get(one) ?? 0) + 1);
        if (header === null && steps === 0) continue;
        // Of a step it is left open whether others wrote before it: the next look loads the world anew.
        const { standing } = known;
        known.standing = { ...standing, epoch: standing.epoch + 1, header: header ?? standing.header };
      }
    },
    catchUp: (moved) => {
      const named = new Map<string, Set<string>>();
      for (const one of moved) {
        const partitions = named.get(one.world) ?? new Set();
        named.set(one.world, partitions);
        for (const partition of one.partitions) partitions.add(partition);
      }
      const loading = [...named].flatMap(([name, partitions]) => {
        const running = world(name);
        return running?.known == null ? [] : [load(running, running.known, [...partitions])];
      });
      const applyAll = (loaded: readonly Loaded[]) => () => loaded.map(apply).includes(true);
      return loading.some((one) => one instanceof Promise)
        ? Promise.all(loading).then(applyAll)
        : applyAll(loading as Loaded[]);
    },
    distrust: (moved) => {
      for (const { world: name } of moved) {
        const known = world(name)?.known;
        if (known != null) known.standing = { ...known.standing, steps: UNKNOWN };
      }
    },
  };
}
