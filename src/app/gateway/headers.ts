/** What holds for all gateways on a store, and not for one: the clocks of worlds, the settings that can be switched, the session. */

import { COMMON_PARTITION } from '../../bank/index.js';
import { isStep, readNote, type StepNote } from '../../exchange/index.js';
import type { Recorder } from '../../recorder/index.js';
import {
  type Awaitable,
  COMMON_WORLD,
  type StoredWorlds,
  StoreMoved,
  type WorldHeader,
} from '../../store/index.js';
import { noteClock, readState } from '../clock/clock-settings.js';
import type { RunningWorld } from './worlds.js';

/** Part of the header of the common world. */
export interface HeaderPart {
  /** Holds for gateways that are configured alike: under another text others have a value of their own. */
  readonly under: string;
  readonly read: () => unknown;
  readonly adopt: (value: unknown) => void;
}

/** Changes something, and gives what takes that back; null where it is so already. */
export type Apply = () => (() => void) | null;

export type Headers = ReturnType<typeof createHeaders>;

/** `recorder`: null without other gateways. */
export function createHeaders(recorder: Pick<Recorder, 'remember'> | null, common: RunningWorld) {
  const parts = new Map<string, HeaderPart>();

  const of = (world: RunningWorld): WorldHeader => {
    const header = {
      ...world.known?.state.header,
      clock: noteClock(world.clock.state()) ?? { mode: 'real' },
    };
    if (world.name !== COMMON_WORLD) return header;
    const values = [...parts].map(([name, { under, read }]) => {
      const others = valuesOf(header, name).filter(([of]) => of !== under);
      return [name, Object.fromEntries([...others.slice(1 - MOST_CONFIGURATIONS), [under, read()]])];
    });
    return { ...header, ...Object.fromEntries(values) };
  };

  /** What was shared last by those that are configured as this one is. */
  const adoptPart = (name: string, { under, adopt }: HeaderPart, header: WorldHeader): void => {
    const value = valuesOf(header, name).find(([of]) => of === under)?.[1];
    if (value !== undefined) adopt(value);
  };

  async function shareAmong(
    { remember }: Pick<Recorder, 'remember'>,
    apply: Apply,
    world: RunningWorld,
  ): Promise<void> {
    for (;;) {
      const undo = apply();
      const basis = { world: world.name, partitions: [] };
      try {
        // What is so here already only has to be so in the store as well, and at no other gateway different by now.
        if (undo === null) return await remember([], undefined, basis);
        return await remember([], undo, { ...basis, header: of(world) });
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
      }
    }
  }

  return {
    of,
    /**
     * Changes something of a world for all gateways, or for none: resolves when it is kept. Where another gateway was faster
     * it is done again; what is so at all of them already is not kept, but rejects as well where the store cannot be written.
     * Without others it is done, and that is all.
     */
    share: (apply: Apply, world = common): Awaitable<void> => {
      if (recorder !== null) return shareAmong(recorder, apply, world);
      apply();
    },
    adopt: (world: RunningWorld, header: WorldHeader): void => {
      if (header.clock !== undefined) world.clock.adopt(readState(header.clock));
      if (world.name !== COMMON_WORLD) return;
      for (const [name, part] of parts) adoptPart(name, part, header);
    },
    add: (name: string, part: HeaderPart): void => {
      parts.set(name, part);
      adoptPart(name, part, common.known?.state.header ?? {});
    },
  };
}

/** So many at most share something; of those that have not for the longest time it is forgotten. */
const MOST_CONFIGURATIONS = 16;

const valuesOf = (header: WorldHeader, name: string): [under: string, value: unknown][] =>
  Object.entries(header[name] ?? {});

/** A step that befell a world, and the sessions in which it is noted already: others note it in theirs. */
interface SharedStep {
  readonly note: StepNote;
  readonly sessions: readonly string[];
}

const STEPS = 'befell';
/** Whoever knows of none of the last ones catches up more slowly than anybody steers. */
const MOST_STEPS = 16;
/** Beyond that some sessions get it twice, which counts once. */
const MOST_SESSIONS = 100;

export const withStep = (header: WorldHeader, { note, sessions }: SharedStep): WorldHeader => ({
  ...header,
  [STEPS]: [...stepsIn(header).slice(1 - MOST_STEPS), { note, sessions: sessions.slice(0, MOST_SESSIONS) }],
});

/** The steps of a header that follow so many steps. */
export const stepsSince = (header: WorldHeader, since: number): readonly SharedStep[] =>
  stepsIn(header).filter(({ note }) => note.kind === 'bank' && (note.settings.step ?? 0) > since);

function stepsIn(header: WorldHeader): SharedStep[] {
  const steps = Array.isArray(header[STEPS]) ? (header[STEPS] as Partial<SharedStep>[]) : [];
  return steps.flatMap(({ note, sessions = [] }) =>
    readNote(Number(note?.at), note?.kind, { ...note?.settings })
      .filter(isStep)
      .map((step) => ({ note: step, sessions })),
  );
}

/**
 * What it gives resolves when that counts here which any gateway shared before (`Headers.share`); where the store fails,
 * what is known counts.
 */
export function createOperatorsView({
  store,
  recorder,
  common,
}: {
  readonly store: { readonly worlds: Pick<StoredWorlds, 'epoch'> };
  readonly recorder: Pick<Recorder, 'catchUp' | 'problem'>;
  readonly common: Pick<RunningWorld, 'name' | 'known'>;
}): () => Promise<void> {
  const { name, known } = common;
  const catchUp = async (): Promise<void> => {
    // What waits to be kept is taken back for nothing less than that another gateway changed something; or that this one
    // did, where the store has committed it and has not said so yet: that costs judging anew, once.
    if (known != null && (await store.worlds.epoch(name)) > known.state.epoch)
      await recorder.catchUp(name, COMMON_PARTITION);
  };
  const gathered = gather(() => catchUp().catch(() => {}));
  // A store that fails may not answer for long.
  return async () => void (known != null && recorder.problem() === null && (await gathered()));
}

/** Callers who ask while it runs share the next run, which begins after they asked. */
function gather(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = run().finally(() => {
      if (next === null) running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin);
    return next;
  };
}
