/** What other gateways on the same store do to the worlds of this one: how far it is known, and how it is caught up with. */
import { applyCaught, readStored, reloadWorld, type StoredLayer } from '../../bank/index.js';
import type { Known, Others, Recorder } from '../../recorder/index.js';
import {
  type Awaitable,
  after,
  type Caught,
  type Dependency,
  movesOf,
  type Store,
  type WorldHeader,
} from '../../store/index.js';
import type { Sessions } from '../sessions/open-sessions.js';
import type { Feeds } from './feeds.js';
import { type Headers, stepsSince } from './headers.js';
import type { RunningWorld, Worlds } from './worlds.js';

interface Loaded {
  readonly world: RunningWorld;
  readonly caught: Caught;
  readonly layers: readonly StoredLayer[] | null;
  readonly stamp: unknown;
}

/** No world has so many steps behind it. */
const UNKNOWN = -1;

interface Hearers {
  readonly headers: Pick<Headers, 'adopt'>;
  readonly sessions: Pick<Sessions, 'meeting' | 'isOpen'>;
  readonly note: Recorder['note'];
  readonly feeds: Pick<Feeds, 'liveFeed' | 'keptElsewhere'>;
}

/** `begin` has to be called before anything is caught up with. */
export function createOthers(
  store: Pick<Store, 'worlds'>,
  { named: world }: Pick<Worlds, 'named'>,
): Others & { readonly begin: (hearers: Hearers) => void } {
  let hearers: Hearers | null = null;

  /** `since`: so many steps had befallen the world before. The sessions of this gateway note those behind. */
  function adopt(running: RunningWorld, header: WorldHeader, since: number): void {
    if (hearers === null) return;
    const { headers, sessions, note, feeds } = hearers;
    headers.adopt(running, header);
    for (const step of stepsSince(header, since))
      for (const session of sessions.meeting(running.name))
        if (sessions.isOpen(session) && !step.sessions.includes(session)) note(session, step.note);
    feeds.liveFeed.stir();
  }

  function load(running: RunningWorld, known: Known, partitions: readonly string[]): Awaitable<Loaded> {
    // Asked first: what is written meanwhile shows in the next one.
    const stamp = store.worlds.stamp(running.name);
    const since = { ...known.state, versions: known.versions };
    return after(store.worlds.catchUp(running.name, since, partitions), (caught): Awaitable<Loaded> => {
      if (!caught.isAnew) return { world: running, caught, layers: null, stamp };
      return after(store.worlds.state(running.name), (state) =>
        after(store.worlds.layers(running.name), (layers) => {
          return { world: running, layers, stamp, caught: { ...state, isAnew: true, facts: [] } };
        }),
      );
    });
  }

  /** Gives whether there was any news. */
  function apply({ world: running, caught, layers, stamp }: Loaded): boolean {
    const { known } = running;
    if (known == null) return false;
    const { versions, facts, isAnew: _, ...state } = caught;
    const hasNewHeader = state.epoch !== known.state.epoch;
    const since = running.steps;
    known.turn += 1;
    if (layers !== null) {
      reloadWorld(running, layers, state.steps);
      known.versions.clear();
    } else applyCaught(running, facts);
    for (const [partition, version] of versions) {
      known.versions.set(partition, version);
      known.movedAt.set(partition, known.turn);
    }
    if (hasNewHeader || layers !== null) known.anewAt = known.turn;
    known.state = state;
    known.stamp = stamp;
    if (hasNewHeader || layers !== null) adopt(running, state.header, since);
    if (layers !== null) hearers?.feeds.keptElsewhere(running, [{ step: 'restore', name: '' }]);
    else if (facts.length > 0) hearers?.feeds.keptElsewhere(running, facts.map(readStored));
    return hasNewHeader || layers !== null || versions.size > 0;
  }

  return {
    begin: (all) => {
      hearers = all;
    },
    dependenciesOf: (looked) =>
      [...looked].map(([name, partitions]): Dependency => {
        const known = world(name)?.known;
        const versions = new Map([...partitions].map((one) => [one, known?.versions.get(one) ?? 0]));
        const { epoch = 0, cursor } = known?.state ?? {};
        return { world: name, epoch, versions, cursor };
      }),
    kept: ({ changes, headers = [] }) => {
      for (const { world: name, partitions, header, steps } of movesOf(changes, headers)) {
        const known = world(name)?.known;
        if (known == null) continue;
        for (const one of partitions) known.versions.set(one, (known.versions.get(one) ?? 0) + 1);
        if (header === null && steps === 0) continue;
        // Of a step it is left open whether others wrote before it: the next look loads the world anew.
        const { state } = known;
        known.state = { ...state, epoch: state.epoch + 1, header: header ?? state.header };
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
        if (known != null) known.state = { ...known.state, steps: UNKNOWN };
      }
    },
  };
}
