/** What holds for all gateways on a store, and not for one: the clocks of worlds, the settings that can be switched, the session. */
import type { Recorder } from '../../recorder/index.js';
import { type Awaitable, COMMON_WORLD, StoreMoved, type WorldHeader } from '../../store/index.js';
import { noteClock, readState } from '../clock/clock-notes.js';
import type { RunningWorld } from './worlds.js';

/** Part of the header of the common world. */
export interface HeaderPart {
  /** Holds for gateways that are configured alike: under another text others have a value of their own. */
  readonly under: string;
  /** JSON. */
  readonly read: () => unknown;
  /** As another gateway has it, or whoever was here before. */
  readonly adopt: (value: unknown) => void;
}

/** Changes something, and gives what takes that back; null where it is so already. */
export type Apply = () => (() => void) | null;

export interface Headers {
  /**
   * Changes something of a world for all gateways, or for none: resolves when it is kept. Where another gateway was faster
   * it is done again; what is so at all of them already is not kept, but rejects as well where the store cannot be written.
   * Without others it is done, and that is all.
   */
  readonly share: (world: RunningWorld, apply: Apply) => Awaitable<void>;
  /** As it is to be kept. */
  readonly of: (world: RunningWorld) => WorldHeader;
  readonly adopt: (world: RunningWorld, header: WorldHeader) => void;
  readonly add: (name: string, part: HeaderPart) => void;
}

/** `recorder`: null without other gateways. */
export function createHeaders(
  recorder: Pick<Recorder, 'remember'> | null,
  common: () => RunningWorld,
): Headers {
  const parts = new Map<string, HeaderPart>();

  const of = (world: RunningWorld): WorldHeader => {
    const header = {
      ...world.known?.standing.header,
      clock: noteClock(world.clock.state()) ?? { mode: 'real' },
    };
    if (world.name !== COMMON_WORLD) return header;
    const own = [...parts].map(([name, { under, read }]) => {
      const others = valuesOf(header, name).filter(([of]) => of !== under);
      return [name, Object.fromEntries([...others.slice(1 - MOST_CONFIGURATIONS), [under, read()]])];
    });
    return { ...header, ...Object.fromEntries(own) };
  };

  /** What was shared last by those that are configured as this one is. */
  const adoptPart = (name: string, { under, adopt }: HeaderPart, header: WorldHeader): void => {
    const value = valuesOf(header, name).find(([of]) => of === under)?.[1];
    if (value !== undefined) adopt(value);
  };

  async function shareAmong(
    { remember }: Pick<Recorder, 'remember'>,
    world: RunningWorld,
    apply: Apply,
  ): Promise<void> {
    for (;;) {
      const undo = apply();
      const resting = { world: world.name, partitions: [] };
      try {
        // What is so here already only has to be so in the store as well, and at no other gateway different by now.
        if (undo === null) return await remember([], undefined, resting);
        return await remember([], undo, { ...resting, header: of(world) });
      } catch (error) {
        if (!(error instanceof StoreMoved)) throw error;
      }
    }
  }

  return {
    of,
    share: (world, apply) => {
      if (recorder !== null) return shareAmong(recorder, world, apply);
      apply();
    },
    adopt: (world, header) => {
      if (header.clock !== undefined) world.clock.adopt(readState(header.clock));
      if (world.name !== COMMON_WORLD) return;
      for (const [name, part] of parts) adoptPart(name, part, header);
    },
    add: (name, part) => {
      parts.set(name, part);
      adoptPart(name, part, common().known?.standing.header ?? {});
    },
  };
}

/** So many at most share something; of those that have not for the longest time it is forgotten. */
const MOST_CONFIGURATIONS = 16;

const valuesOf = (header: WorldHeader, name: string): [under: string, value: unknown][] =>
  Object.entries(header[name] ?? {});
