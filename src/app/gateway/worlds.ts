/**
 * The worlds of a running gateway: one for all calls, or one for each session that calls name, with what is known in
 * it, its bank and its clock.
 */
import { COMMON_PARTITION, createLine, openWorld, reloadWorld, type World } from '../../bank/index.js';
import { ledgerSize, MOST_ISOLATED_FACTS } from '../../ledger/index.js';
import { type Known, knownOf, type Recorder } from '../../recorder/index.js';
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

export type Worlds = Awaited<ReturnType<typeof createWorlds>>;

/**
 * Opens the common world; those of sessions as they are entered. With `isShared` other gateways serve on the store as well,
 * and `follow` has to be called before anything is asked. `isolated`: each session that calls name is a world of its own.
 * `forgetful`: nothing is known at the start, and nothing that is learned is kept. `most`: worlds that an operator may open
 * beside the common one.
 */
export async function createWorlds(parts: {
  readonly store: {
    readonly worlds: Pick<StoredWorlds, 'layers' | 'body' | 'knowing' | 'ownerOf' | 'state' | 'stamp'>;
  };
  readonly isShared: boolean;
  readonly isolated: boolean;
  readonly forgetful: boolean;
  readonly keepsNoBank: boolean;
  readonly openClock: (world: string, header: WorldHeader) => Clock;
  readonly most: number;
}) {
  const { store, isShared, isolated, forgetful, keepsNoBank, openClock, most } = parts;
  const named = new Map<string, RunningWorld>();
  const entered = new Set<string>();
  let catchUpWith: Recorder['catchUp'] = () => {};
  let onOpen = (_: RunningWorld): void => {};

  const openOne = (name: string): Awaitable<RunningWorld> => {
    if (!isShared)
      return after(
        forgetful ? [] : store.worlds.layers(name),
        (layers): RunningWorld =>
          Object.assign(openWorld(layers, name), { clock: openClock(name, {}), known: null }),
      );
    // The stamp before all else: what is written meanwhile shows in the next one.
    const stamp = store.worlds.stamp(name);
    return after(store.worlds.state(name), (state) =>
      after(store.worlds.layers(name), (layers): RunningWorld => {
        const reads = { into: null };
        return Object.assign(openWorld(layers, name, createLine(undefined, reads)), {
          clock: openClock(name, state.header),
          known: knownOf(state, stamp, reads),
          steps: state.steps,
        });
      }),
    );
  };

  const hasMoved = ({ name, known }: RunningWorld): boolean =>
    known != null && store.worlds.stamp(name) !== known.stamp;

  /** Brings in what others did to a world, and to what holds for all of them. */
  const current = (world: RunningWorld): RunningWorld => {
    if (isShared)
      for (const one of world === common ? [common] : [common, world])
        if (hasMoved(one)) void catchUpWith(one.name);
    return world;
  };

  /** An authorisation that nobody here knows may have been begun at another gateway. */
  const sessionOfOwner = (authorisation: string): Awaitable<string | undefined> =>
    after(store.worlds.ownerOf(authorisation), (owner) => {
      // No call meets the other worlds here.
      if (owner === null || (!isolated && owner.world !== COMMON_WORLD)) return undefined;
      const { world, home, version, steps } = owner;
      const session = world === COMMON_WORLD ? undefined : world;
      const known = (session === undefined ? common : named.get(session))?.known;
      if (known == null) return session;
      // What only a snapshot still has is not known afterwards either: nothing is read, and taken back, for that.
      const isBehind = steps !== known.state.steps || version > (known.versions.get(home) ?? 0);
      return isBehind ? after(catchUpWith(world, home), () => session) : session;
    });

  const common = await openOne(COMMON_WORLD);
  const open = (): RunningWorld[] => [common, ...named.values()];

  const openNamed = (session: string): Awaitable<RunningWorld> =>
    named.get(session) ??
    after(openOne(session), (opened) => {
      // Another call may have opened it meanwhile.
      const first = named.get(session);
      if (first !== undefined) return first;
      named.set(session, opened);
      onOpen(opened);
      return opened;
    });

  const knows = ({ ledger, bank }: World, id: string): boolean =>
    bank.bankAuthorisations.has(id) || ledger.authorisations.has(id);

  let callsCounted = 0;
  let isCrowded = false;

  return {
    common,
    isolated,
    /** `recorder` brings in what other gateways do; `listener` hears of the open worlds now, and of others as they open. */
    follow: ({ catchUp }: Pick<Recorder, 'catchUp'>, listener: (world: RunningWorld) => void): void => {
      catchUpWith = catchUp;
      onOpen = listener;
      open().forEach(listener);
    },
    /** As in `CallWorlds`: counted once in so many calls, and at each while there are too many facts. */
    areCrowded: (): boolean => {
      if (isCrowded || callsCounted++ % CALLS_PER_COUNT === 0) {
        let facts = 0;
        for (const { ledger } of named.values()) facts += ledgerSize(ledger);
        isCrowded = facts > MOST_ISOLATED_FACTS;
      }
      return isCrowded;
    },
    enter: (session: string): Awaitable<RunningWorld> => {
      if (!isolated) return common;
      entered.add(session);
      return openNamed(session);
    },
    /** The world that a call of a session meets; the common one for a session that no call named. */
    of: (session: string | null): RunningWorld =>
      current(session !== null && entered.has(session) ? (named.get(session) ?? common) : common),
    named: (world: string): RunningWorld | undefined => (world === COMMON_WORLD ? common : named.get(world)),
    /** The world of a session by its name, also of earlier runs; undefined where there is none, or too many are open. */
    find: async (session: string): Promise<RunningWorld | undefined> => {
      if (!isolated) return undefined;
      const opened = named.get(session);
      if (opened !== undefined) return current(opened);
      if (named.size >= most) return undefined;
      return entered.has(session) || (await store.worlds.layers(session)).length > 0
        ? openNamed(session)
        : undefined;
    },
    /** The session in whose world an authorisation was begun; undefined: it is the common one, or nobody's. */
    sessionOf: (authorisation: string): Awaitable<string | undefined> => {
      if (isFixedIdentifier(authorisation) || knows(current(common), authorisation)) return undefined;
      for (const world of named.values()) if (knows(world, authorisation)) return world.name;
      if (isShared) return sessionOfOwner(authorisation);
      if (!isolated) return undefined;
      return after(store.worlds.knowing(authorisation), (names) =>
        names.find((name) => name !== COMMON_WORLD),
      );
    },
    open,
    /** As in `CallWorlds`; absent where the store has no facts of the living bank. */
    bodyOf: keepsNoBank
      ? undefined
      : ({ name }: World, tpp: string, payment: string) => store.worlds.body(name, tpp, payment),
    /** Resolves when what others did to the open worlds counts here. */
    catchUp: async (): Promise<void> => {
      for (const world of open()) if (hasMoved(world)) await catchUpWith(world.name);
    },
    /** Loads the open worlds anew, of which another process erased something. Nothing may wait to be kept. */
    renew: async (): Promise<void> => {
      for (const world of forgetful ? [] : open())
        if (isShared) await catchUpWith(world.name, COMMON_PARTITION);
        else reloadWorld(world, await store.worlds.layers(world.name));
    },
    close: (): void => {
      for (const { clock } of open()) clock.close();
    },
  };
}
