/** What the admin listener may ask of the living bank, and do to it. */
import type { BankPort, BankView } from '../../admin/index.js';
import type { Links } from '../../answer/index.js';
import type { Population } from '../../bank/index.js';
import { SandgateError } from '../../spec/index.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import { nextOutcomeChange, readNextOutcome, wantedOutcome } from './next-outcome.js';
import type { Remember } from './remember.js';
import { resourcesOf } from './resources.js';
import { showPsus } from './show-psus.js';
import { snapshotsOf } from './snapshots.js';
import { createSteering, type SteeringParts } from './steering.js';

export interface BankPortParts extends SteeringParts {
  readonly worlds: Worlds;
  readonly population: Population;
  readonly links: Links;
  readonly remember: Remember;
  /** The bank that is in force; it may be switched. */
  readonly bank: () => 'sandbox' | 'living';
}

export function openBankPort(parts: BankPortParts): BankPort {
  const { worlds, population, bank } = parts;
  const steer = createSteering(parts);
  const living = (): void => {
    if (bank() === 'sandbox') throw new SandgateError('bank.sandbox', { switch: '{"bank":"living"}' });
  };
  const viewOf = (world: RunningWorld): BankView => ({
    about: () => ({
      bank: bank(),
      seed: population.seed,
      psus: population.count,
      now: new Date(world.clock.now()).toISOString(),
    }),
    psus: (from, limit) => showPsus(population, from, limit),
    ...resourcesOf(world, { ...parts, steer, living }),
    ...snapshotsOf(world, { ...parts, steer, living }),
    setNextOutcome: async (wanted) => {
      living();
      const outcome = readNextOutcome(wanted, world, population);
      const change = nextOutcomeChange(outcome, world.clock.now());
      await steer(world, { action: 'next-outcome', ...outcome }, () => [change]);
      return outcome;
    },
    reset: async () => {
      living();
      await steer(world, { action: 'reset' }, () => [{ step: 'reset' }]);
    },
  });
  return {
    common: viewOf(worlds.common),
    of: async (session) => viewOf(await worldOf(worlds, session)),
    wantedOutcome,
  };
}

/** The world of a session by its name. Rejects with a SandgateError where it has none of its own. */
export async function worldOf(worlds: Worlds, session: string | undefined): Promise<RunningWorld> {
  // What another gateway did a moment ago counts for an operator as well.
  await worlds.catchUp();
  if (session === undefined) return worlds.of(null);
  const name = session.slice(0, 100);
  if (!worlds.isolated) throw new SandgateError('bank.shared', { name });
  const world = await worlds.find(session);
  if (world === undefined) throw new SandgateError('bank.no-world', { name });
  return world;
}
