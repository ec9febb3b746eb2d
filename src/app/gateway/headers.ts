/** What holds for all gateways on a store, and not for one: the clocks of worlds, the settings that can be switched, the session. */
import type { Recorder } from '../../recorder/index.js';
import { type Awaitable, COMMON_WORLD, StoreMoved, type WorldHeader } from '../../store/index.js';
import { noteClock, readState } from '../clock/clock-notes.js';
import type { RunningWorld } from './worlds.js';

/** Part of the header of the common world. */
export interface HeaderPart {
  /** JSON. */
  readonly read: () => unknown;
  /** As another gateway has it, or whoever was here before. */
  readonly adopt: (value: unknown) => void;
}

export interface Headers {
  /**
   * Changes something of a world for all gateways, or for none: resolves when it is kept. `apply` does it, and gives what
   * takes it back; where another gateway was faster it is done again. Without others it is done, and that is all.
   */
  readonly share: (world: RunningWorld, apply: () => () => void) => Awaitable<void>;
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

  const of = (world: RunningWorld): WorldHeader => ({
    clock: noteClock(world.clock.state()) ?? { mode: 'real' },
    ...(world.name === COMMON_WORLD
      ? Object.fromEntries([...parts].map(([name, { read }]) => [name, read()]))
      : {}),
  });

  async function shareAmong(
    { remember }: Pick<Recorder, 'remember'>,
    world: RunningWorld,
    apply: () => () => void,
  ): Promise<void> {
    for (;;) {
      const undo = apply();
      try {
        return await remember([], undo, { world: world.name, partitions: [], header: of(world) });
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
      for (const [name, part] of parts) if (header[name] !== undefined) part.adopt(header[name]);
    },
    add: (name, part) => {
      parts.set(name, part);
      const known = common().known?.standing.header[name];
      if (known !== undefined) part.adopt(known);
    },
  };
}
