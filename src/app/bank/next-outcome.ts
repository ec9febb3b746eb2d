/** Outcomes that are set ahead: what was asked for, checked, and the change that it makes. */
import * as z from 'zod';
import { type BankChange, type BankOutcome, type Population, setNextOutcome } from '../../bank/index.js';
import { isScaScenario, parseScope, SandgateError, SCA_SCENARIO_IDS, slipOf } from '../../spec/index.js';
import { readWanted } from '../config/values.js';
import type { RunningWorld } from '../gateway/worlds.js';
import { consentOf, paymentOf, psuOf } from './named.js';

export type NextOutcome = Omit<BankOutcome, 'setAt'>;

const SHOWN = 100;

export const wantedOutcome = z.strictObject(
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

/** Throws a SandgateError for what cannot be meant. */
export function readNextOutcome(body: unknown, world: RunningWorld, population: Population): NextOutcome {
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

export function nextOutcomeChange({ scenario, ...aim }: NextOutcome, now: number): BankChange {
  return setNextOutcome(scenario, aim, now);
}
