/** What the admin listener may ask of the living bank, and do to it. */
import type { BankPort, BankView } from '../../admin/index.js';
import type { Links } from '../../answer/index.js';
import type { Population } from '../../bank/index.js';
import { SandgateError } from '../../spec/index.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import { nextOutcomeChange, readNextOutcome, wantedOutcome } from './next-outcome.js';
import type { Remember } from './remember.js';
import { createResources } from './resources.js';
import { showPsus } from './show-psus.js';
import { createSnapshots } from './snapshots.js';
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
  const { worlds, population, links, remember, bank, clock } = parts;
  const steer = createSteering(parts);
  const snapshots = createSnapshots(steer, clock);
  const resources = createResources({ population, links, steer, remember });

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
    consents: (from, limit) => resources.consents(world, from, limit),
    consent: (id) => resources.consent(world, id),
    endConsent: async (id, action) => {
      living();
      return resources.endConsent(world, id, action);
    },
    payments: (from, limit) => resources.payments(world, from, limit),
    payment: (id) => resources.payment(world, id),
    decidePayment: async (id, action) => {
      living();
      return resources.decidePayment(world, id, action);
    },
    setNextOutcome: async (wanted) => {
      living();
      const outcome = readNextOutcome(wanted, world, population);
      const change = nextOutcomeChange(outcome, world.clock.now());
      await steer(world, { action: 'next-outcome', ...outcome }, () => [change]);
      return outcome;
    },
    snapshots: () => snapshots.all(world),
    takeSnapshot: (name) => {
      living();
      return snapshots.take(world, name);
    },
    restoreSnapshot: (name) => {
      living();
      return snapshots.restore(world, name);
    },
    dropSnapshot: (name) => {
      living();
      return snapshots.drop(world, name);
    },
    reset: () => {
      living();
      return steer(world, { action: 'reset' }, () => [{ step: 'reset' }]);
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
