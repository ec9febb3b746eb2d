/**
 * The worlds of a running gateway: one for all calls, or one for each session that calls name, with what is known in
 * it, its bank and its clock.
 */
import { openWorld, type World } from '../../bank/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import { COMMON_WORLD, type LocalStore } from '../../store/index.js';
import type { Clock } from '../clock/clock.js';

export interface RunningWorld extends World {
  readonly clock: Clock;
}

export interface WorldsParts {
  readonly store: Pick<LocalStore, 'layers' | 'worldsOf'>;
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
  /** What a call of a session meets; of a session that no call named, the common one. */
  readonly of: (session: string | null) => RunningWorld;
  /** As a session's name finds it, of earlier runs too; undefined where there is none, or too many are open. */
  readonly find: (session: string) => RunningWorld | undefined;
  /** The session in whose world an authorisation was begun; undefined: it is the common one, or nobody's. */
  readonly sessionOf: (authorisation: string) => string | undefined;
  readonly open: () => Iterable<RunningWorld>;
  readonly close: () => void;
}

export function createWorlds(parts: WorldsParts): Worlds {
  const { store, isolated, forgetful, isNamed, most } = parts;
  const named = new Map<string, RunningWorld>();

  const openOne = (name: string): RunningWorld =>
    Object.assign(openWorld(forgetful ? [] : store.layers(name), name), { clock: parts.openClock(name) });

  function enter(name: string): RunningWorld {
    const world = named.get(name) ?? openOne(name);
    named.set(name, world);
    return world;
  }

  const common = openOne(COMMON_WORLD);
  const knows = ({ ledger, bank }: World, id: string): boolean =>
    bank.bankAuthorisations.has(id) || ledger.authorisations.has(id);

  return {
    common,
    isolated,
    of: (session) => (isolated && session !== null && isNamed(session) ? enter(session) : common),
    find: (session) => {
      if (!isolated) return undefined;
      const known = named.get(session);
      if (known !== undefined || named.size >= most) return known;
      return isNamed(session) || store.layers(session).length > 0 ? enter(session) : undefined;
    },
    sessionOf: (authorisation) => {
      if (!isolated || isFixedIdentifier(authorisation) || knows(common, authorisation)) return undefined;
      for (const world of named.values()) if (knows(world, authorisation)) return world.name;
      return store.worldsOf(authorisation).find((name) => name !== COMMON_WORLD);
    },
    open: () => [common, ...named.values()],
    close: () => {
      for (const world of [common, ...named.values()]) world.clock.close();
    },
  };
}
