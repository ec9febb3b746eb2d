/** What the admin listener may ask of the living bank, and do to it. */
import * as z from 'zod';
import type { BankPort, BankView, ShownBank, ShownSnapshot } from '../../admin/index.js';
import {
  type BankOutcome,
  booksAt,
  MOST_SNAPSHOTS,
  type Population,
  setNextOutcome,
} from '../../bank/index.js';
import {
  isScaScenario,
  parseScope,
  SANDBOX_IDENTIFIERS,
  type SandboxData,
  SandgateError,
  SCA_SCENARIO_IDS,
  slipOf,
} from '../../spec/index.js';
import { isSessionName, SESSION_NAME_FORM } from '../../store/index.js';
import type { ClockChange, ClockState } from '../clock/clock.js';
import { readSpeed } from '../config/times.js';
import { readWanted } from '../config/values.js';
import type { RunningWorld, Worlds } from '../gateway/worlds.js';
import { accountsOf } from './accounts.js';
import { consentOf, paymentOf, psuOf, resourcesOf } from './resources.js';
import { createSteering, type Hands, type SteeringParts } from './steering.js';

export function openBankPort(
  parts: SteeringParts &
    Omit<Hands, 'steer' | 'living'> & {
      readonly worlds: Worlds;
      readonly bank: () => 'sandbox' | 'living';
      readonly data: () => SandboxData;
    },
): BankPort {
  const { worlds, population, bank, data } = parts;
  const steer = createSteering(parts);
  let known: ShownBank['fixed'] | undefined;
  const identifiers = () => {
    known ??= [...SANDBOX_IDENTIFIERS, ...ibansOf(data())];
    return known;
  };
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
      fixed: bank() === 'living' ? [] : identifiers(),
    }),
    psus: (from, limit) =>
      showPsus(booksAt({ state: world.bank, population }, world.clock.now()).population, from, limit),
    ...accountsOf(world, hands),
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

const ibansOf = ({ accounts, funds }: SandboxData): ShownBank['fixed'] => [
  ...accounts.accounts.map(({ iban, currency, resourceId, name }) => ({
    kind: 'IBAN',
    id: iban,
    does: `${name} in ${currency}, ${resourceId}.`,
  })),
  {
    kind: 'IBAN',
    id: funds.iban,
    does: `Funds confirmation: ${funds.balance} ${funds.currency} and an overdraft of ${funds.overdraft} are available.`,
  },
];

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
      problems: `scope “${text.slice(0, SHOWN)}”: AIS: and a consent id, or PIS: and a payment id, is expected`,
    });
  if (scope.service === 'AIS') consentOf(world, scope.id);
  else paymentOf(world, scope.id);
}

function snapshotsOf(
  world: RunningWorld,
  { steer, clock, living }: Pick<Hands, 'steer' | 'clock' | 'living'>,
): Pick<BankView, 'snapshots' | 'takeSnapshot' | 'restoreSnapshot' | 'dropSnapshot'> {
  const all: BankView['snapshots'] = () =>
    [...world.snapshots].map(([name, { at, clock }]) => ({
      name,
      at: new Date(at).toISOString(),
      now: typeof clock.now === 'string' ? clock.now : null,
    }));
  const snapshot = (name: string): ShownSnapshot => {
    const kept = all().find((one) => one.name === name);
    if (kept !== undefined) return kept;
    const names = [...world.snapshots.keys()];
    if (names.length === 0) throw new SandgateError('bank.no-snapshots', { name });
    throw new SandgateError('bank.no-snapshot', { name, nearest: slipOf(name, names) });
  };
  return {
    snapshots: all,
    takeSnapshot: async (name) => {
      living();
      if (!isSessionName(name))
        throw new SandgateError('bank.snapshot-name', { name, form: SESSION_NAME_FORM });
      if (!world.snapshots.has(name) && world.snapshots.size >= MOST_SNAPSHOTS)
        throw new SandgateError('bank.many-snapshots', { most: MOST_SNAPSHOTS });
      const at = clock();
      await steer(world, { action: 'snapshot', name }, () => [
        { step: 'take', name, at, clock: clockOf(world) },
      ]);
      return snapshot(name);
    },
    restoreSnapshot: async (name) => {
      living();
      const restored = snapshot(name);
      const clock = world.snapshots.get(name)?.clock ?? {};
      await steer(
        world,
        { action: 'restore', name },
        () => [{ step: 'restore', name }],
        () => setClock(world, clock),
      );
      return restored;
    },
    dropSnapshot: async (name) => {
      living();
      snapshot(name);
      await steer(world, { action: 'drop', name }, () => [{ step: 'drop', name }]);
    },
  };
}

function clockOf({ clock }: RunningWorld): Readonly<Record<string, unknown>> {
  const { mode, speed } = clock.state();
  return mode === 'real' ? {} : { now: new Date(clock.now()).toISOString(), mode, speed: speed.text };
}

/** Sets the clock as it was at a snapshot; gives what puts it back. */
function setClock({ clock }: RunningWorld, kept: Readonly<Record<string, unknown>>): () => void {
  const [now, { mode, speed }] = [clock.now(), clock.state()];
  if (mode === 'real' && kept.mode === undefined) return () => {};
  clock.change(changeTo(Date.parse(String(kept.now)), kept.mode, readSpeed(String(kept.speed))));
  return () => clock.change(changeTo(now, mode, speed));
}

function changeTo(now: number, mode: unknown, speed: ClockState['speed'] | undefined): ClockChange {
  if ((mode !== 'frozen' && mode !== 'running') || speed === undefined || Number.isNaN(now))
    return { mode: 'real' };
  return { now, mode, speed };
}
