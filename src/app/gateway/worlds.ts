/**
 * The worlds of a running gateway: one for all calls, or one for each session that calls name, with what is known in
 * it, its bank and its clock.
 */
import { createLine, openWorld, type World } from '../../bank/index.js';
import { ledgerSize, MOST_ISOLATED_FACTS } from '../../ledger/index.js';
import { type Known, knownOf } from '../../recorder/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import {
  type Awaitable,
  after,
  COMMON_WORLD,
  type StoredWorlds,
  type WorldHeader,
} from '../../store/index.js';
import type { Clock } from '../clock/clock.js';

/** 2,000 ledgers are counted in 0.1 ms, and a call adds few facts. */
const CALLS_PER_COUNT = 64;

export interface RunningWorld extends World {
  readonly clock: Clock;
  /** null where no other gateway moves it on. */
  readonly known?: Known | null;
}

export interface WorldsParts {
  readonly store: {
    readonly worlds: Pick<StoredWorlds, 'layers' | 'body' | 'knowing' | 'ownerOf' | 'standing' | 'stamp'>;
  };
  /** Others serve on the store as well: see `Recorder.catchUp`. */
  readonly catchUp: ((world: string, home?: string) => Awaitable<void>) | null;
  /** Whether each session that calls name is a world of its own. */
  readonly isolated: boolean;
  /** Nothing is known at the start, and nothing that is learned is kept. */
  readonly forgetful: boolean;
  /** The store has no facts of the living bank. */
  readonly keepsNoBank: boolean;
  /** As configured, or as it was when the gateway stopped. */
  readonly openClock: (world: string, header: WorldHeader) => Clock;
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
  /** One that is open, by its own name. */
  readonly named: (world: string) => RunningWorld | undefined;
  /** As a session's name finds it, of earlier runs too; undefined where there is none, or too many are open. */
  readonly find: (session: string) => Promise<RunningWorld | undefined>;
  /** The session in whose world an authorisation was begun; undefined: it is the common one, or nobody's. */
  readonly sessionOf: (authorisation: string) => Awaitable<string | undefined>;
  readonly open: () => Iterable<RunningWorld>;
  /** Both as in `CallWorlds`. */
  readonly areCrowded: () => boolean;
  readonly bodyOf: ((world: World, tpp: string, payment: string) => Awaitable<object | null>) | undefined;
  /** Resolves when what others did to those that are open counts here. */
  readonly catchUp: () => Promise<void>;
  readonly close: () => void;
}

export async function createWorlds(parts: WorldsParts): Promise<Worlds> {
  const { store, isolated, forgetful, isNamed, most } = parts;
  const named = new Map<string, RunningWorld>();

  const openOne = (name: string): Awaitable<RunningWorld> => {
    if (parts.catchUp === null)
      return after(
        forgetful ? [] : store.worlds.layers(name),
        (layers): RunningWorld =>
          Object.assign(openWorld(layers, name), { clock: parts.openClock(name, {}), known: null }),
      );
    // The stamp before all else: what is written meanwhile shows in the next one.
    const stamp = store.worlds.stamp(name);
    const stored = after(store.worlds.standing(name), (standing) =>
      after(store.worlds.layers(name), (layers) => ({ standing, layers })),
    );
    return after(stored, ({ standing, layers }): RunningWorld => {
      const reads = { into: null };
      const world = openWorld(layers, name, createLine(undefined, reads));
      const known = knownOf(standing, stamp, reads);
      return Object.assign(world, {
        clock: parts.openClock(name, standing.header),
        known,
        steps: standing.steps,
      });
    });
  };

  /** With what others did to it, and to what holds for all of them. */
  const current = (world: RunningWorld): RunningWorld => {
    if (parts.catchUp === null) return world;
    for (const { name, known } of world === common ? [common] : [common, world])
      if (known != null && store.worlds.stamp(name) !== known.stamp) void parts.catchUp(name);
    return world;
  };

  /** An authorisation that nobody here knows may have been begun at another gateway. */
  const sessionOfOwner = (
    authorisation: string,
    catchUp: NonNullable<WorldsParts['catchUp']>,
  ): Awaitable<string | undefined> =>
    after(store.worlds.ownerOf(authorisation), (owner) => {
      // No call meets the other worlds here.
      if (owner === null || (!isolated && owner.world !== COMMON_WORLD)) return undefined;
      const { world, home, version, steps } = owner;
      const session = world === COMMON_WORLD ? undefined : world;
      const known = (session === undefined ? common : named.get(session))?.known;
      if (known == null) return session;
      // What only a snapshot still has is not known afterwards either: nothing is read, and taken back, for that.
      const isBehind = steps !== known.standing.steps || version > (known.versions.get(home) ?? 0);
      return isBehind ? after(catchUp(world, home), () => session) : session;
    });

  const common = await openOne(COMMON_WORLD);

  function enter(session: string): Awaitable<RunningWorld> {
    if (!isolated) return common;
    const known = named.get(session);
    if (known !== undefined) return known;
    return after(openOne(session), (opened) => {
      // Another call may have opened it meanwhile.
      const world = named.get(session) ?? opened;
      named.set(session, world);
      return world;
    });
  }

  const knows = ({ ledger, bank }: World, id: string): boolean =>
    bank.bankAuthorisations.has(id) || ledger.authorisations.has(id);

  let callsCounted = 0;
  let isCrowded = false;
  /** Counted once in so many calls, and at each while there are too many. */
  function areCrowded(): boolean {
    if (isCrowded || callsCounted++ % CALLS_PER_COUNT === 0) {
      let facts = 0;
      for (const { ledger } of named.values()) facts += ledgerSize(ledger);
      isCrowded = facts > MOST_ISOLATED_FACTS;
    }
    return isCrowded;
  }

  return {
    common,
    isolated,
    areCrowded,
    enter,
    of: (session) => current(session !== null && isNamed(session) ? (named.get(session) ?? common) : common),
    named: (name) => (name === COMMON_WORLD ? common : named.get(name)),
    find: async (session) => {
      if (!isolated) return undefined;
      const open = named.get(session);
      if (open !== undefined) return current(open);
      if (named.size >= most) return undefined;
      return isNamed(session) || (await store.worlds.layers(session)).length > 0 ? enter(session) : undefined;
    },
    sessionOf: (authorisation) => {
      if (isFixedIdentifier(authorisation) || knows(current(common), authorisation)) return undefined;
      for (const world of named.values()) if (knows(world, authorisation)) return world.name;
      if (parts.catchUp !== null) return sessionOfOwner(authorisation, parts.catchUp);
      if (!isolated) return undefined;
      return after(store.worlds.knowing(authorisation), (names) =>
        names.find((name) => name !== COMMON_WORLD),
      );
    },
    open: () => [common, ...named.values()],
    bodyOf: parts.keepsNoBank ? undefined : ({ name }, tpp, payment) => store.worlds.body(name, tpp, payment),
    catchUp: async () => {
      for (const { name, known } of [common, ...named.values()])
        if (known != null && store.worlds.stamp(name) !== known.stamp) await parts.catchUp?.(name);
    },
    close: () => {
      for (const world of [common, ...named.values()]) world.clock.close();
    },
  };
}
