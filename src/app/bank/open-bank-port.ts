/** What the admin listener may ask of the living bank, and do to it. */
import * as z from 'zod';
import type { BankPort, BankView } from '../../admin/index.js';
import { type BankOutcome, type Population, setNextOutcome } from '../../bank/index.js';
import { isScaScenario, parseScope, SandgateError, SCA_SCENARIO_IDS, slipOf } from '../../spec/index.js';
import { readWanted } from '../config/values.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import { consentOf, paymentOf, psuOf } from './named.js';
import { resourcesOf } from './resources.js';
import { snapshotsOf } from './snapshots.js';
import { createSteering, type Hands, type SteeringParts } from './steering.js';

export function openBankPort(
  parts: SteeringParts &
    Omit<Hands, 'steer' | 'living'> & { readonly worlds: Worlds; readonly bank: () => 'sandbox' | 'living' },
): BankPort {
  const { worlds, population, bank } = parts;
  const steer = createSteering(parts);
  const living = (): void => {
    if (bank() === 'sandbox') throw new SandgateError('bank.sandbox', { switch: '{"bank":"living"}' });
  };
  const hands: Hands = { ...parts, steer, living };
  const viewOf = (world: RunningWorld): BankView => ({
    about: () => ({
      bank: bank(),
      seed: population.seed,
      psus: population.count,
      now: new Date(world.clock.now()).toISOString(),
    }),
    psus: (from, limit) => showPsus(population, from, limit),
    ...resourcesOf(world, hands),
    ...snapshotsOf(world, hands),
    setNextOutcome: async (wanted) => {
      living();
      const outcome = readNextOutcome(wanted, world, population);
      const { scenario, ...aim } = outcome;
      const change = setNextOutcome(scenario, aim, world.clock.now());
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

export type ShownPsu = ReturnType<typeof showPsus>[number];

/** PSUs as they are listed: it is a sandbox, so log-in and password are shown. */
export function showPsus(population: Population, from: number, limit: number) {
  return population.psus(from, limit).map((psu) => ({
    ...psu,
    accounts: population
      .accountsOf(psu.id)
      .map(({ resourceId, iban, currency, name, status }) => ({ resourceId, iban, currency, name, status })),
  }));
}

type NextOutcome = Omit<BankOutcome, 'setAt'>;

const SHOWN = 100;

const wantedOutcome = z.strictObject(
  {
    scenario: z.string({ error: 'one of the fourteen outcomes is expected' }),
    scope: z.string().optional(),
    psu: z.string().optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ').slice(0, SHOWN)}: only scenario, scope and psu are known`
        : 'an object with scenario, and with scope, psu or both, is expected',
  },
);

function readNextOutcome(body: unknown, world: RunningWorld, population: Population): NextOutcome {
  const { scenario, scope = null, psu = null } = readWanted(wantedOutcome, body);
  if (!isScaScenario(scenario))
    throw new SandgateError('bank.no-outcome', {
      scenario: scenario.slice(0, SHOWN),
      nearest: slipOf(scenario.slice(0, SHOWN), SCA_SCENARIO_IDS),
    });
  if (scope !== null) checkScope(scope, world);
  if (psu !== null) psuOf(population, psu);
  return { scenario, scope, psu };
}

function checkScope(text: string, world: RunningWorld): void {
  const scope = parseScope(text);
  if (scope === undefined || scope.service === 'PIIS')
    throw new SandgateError('config.invalid', {
      problems: `scope «${text.slice(0, SHOWN)}»: AIS: and a consent id, or PIS: and a payment id, is expected`,
    });
  if (scope.service === 'AIS') consentOf(world, scope.id);
  else paymentOf(world, scope.id);
}
