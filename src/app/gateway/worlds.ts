/**
 * The worlds of a running gateway: one for all calls, or one for each session that calls name, with what is known in
 * it, its bank and its clock.
 */
import { openWorld, type StoredLayer, type World } from '../../bank/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import { type Awaitable, after, COMMON_WORLD, type Store } from '../../store/index.js';
import type { Clock } from '../clock/clock.js';

export interface RunningWorld extends World {
  readonly clock: Clock;
}

export interface WorldsParts {
  readonly store: Pick<Store, 'layers' | 'worldsOf'>;
  /** Whether each session that calls name is a world of its own. */
  readonly isolated: boolean;
  /** Nothing is known at the start, and nothing that is learned is kept. */
  readonly forgetful: boolean;
  /** As configured, or as it was when the gateway stopped. */
  readonly openClock: (world: string) => Clock;
  /** Whether a session was named by a call of this run. */
  readonly isNamed: (session: string) => boolean;
  /** So many may be open beside the common one. */
  readonly most: number;
}

export interface Worlds {
  /** Of calls that name no session. */
  readonly common: RunningWorld;
  readonly isolated: boolean;
  /** Opens what calls of a session will meet. */
  readonly enter: (session: string) => Awaitable<RunningWorld>;
  /** What a call of a session meets, which was entered before; of a session that no call named, the common one. */
  readonly of: (session: string | null) => RunningWorld;
  /** As a session's name finds it, of earlier runs too; undefined where there is none, or too many are open. */
  readonly find: (session: string) => Promise<RunningWorld | undefined>;
  /** The session in whose world an authorisation was begun; undefined: it is the common one, or nobody's. */
  readonly sessionOf: (authorisation: string) => Awaitable<string | undefined>;
  readonly open: () => Iterable<RunningWorld>;
  readonly close: () => void;
}

export async function createWorlds(parts: WorldsParts): Promise<Worlds> {
  const { store, isolated, forgetful, isNamed, most } = parts;
  const named = new Map<string, RunningWorld>();

  const layersOf = (name: string) => (forgetful ? [] : store.layers(name));
  const openWith = (layers: readonly StoredLayer[], name: string): RunningWorld =>
    Object.assign(openWorld(layers, name), { clock: parts.openClock(name) });

  const common = openWith(await layersOf(COMMON_WORLD), COMMON_WORLD);

  function enter(session: string): Awaitable<RunningWorld> {
    if (!isolated) return common;
    const known = named.get(session);
    if (known !== undefined) return known;
    return after(layersOf(session), (layers) => {
      // Another call may have opened it meanwhile.
      const world = named.get(session) ?? openWith(layers, session);
      named.set(session, world);
      return world;
    });
  }

  const knows = ({ ledger, bank }: World, id: string): boolean =>
    bank.bankAuthorisations.has(id) || ledger.authorisations.has(id);

  return {
    common,
    isolated,
    enter,
    of: (session) => (session !== null && isNamed(session) ? (named.get(session) ?? common) : common),
    find: async (session) => {
      if (!isolated) return undefined;
      const known = named.get(session);
      if (known !== undefined || named.size >= most) return known;
      return isNamed(session) || (await store.layers(session)).length > 0 ? enter(session) : undefined;
    },
    sessionOf: (authorisation) => {
      if (!isolated || isFixedIdentifier(authorisation) || knows(common, authorisation)) return undefined;
      for (const world of named.values()) if (knows(world, authorisation)) return world.name;
      return after(store.worldsOf(authorisation), (names) => names.find((name) => name !== COMMON_WORLD));
    },
    open: () => [common, ...named.values()],
    close: () => {
      for (const world of [common, ...named.values()]) world.clock.close();
    },
  };
}
