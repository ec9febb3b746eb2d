/** Runs a rehearsal: a living bank in this process, the application beside it, and the cells one after the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, type Sandgate, type SystemParts, startSandgate } from '../app/index.js';
import {
  type Dialect,
  EVERY_OPERATION_ID,
  namesOperation,
  OPERATIONS,
  SandgateError,
  slipOf,
} from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { openApplication } from './application.js';
import { readBelief } from './belief.js';
import type { Cell } from './cells/index.js';
import type { CommandParts } from './command.js';
import { openBrowserDriver } from './drive/browser.js';
import { createCommandDriver } from './drive/by-command.js';
import type { Driver } from './drive/driver.js';
import { createFollower } from './drive/follow.js';
import type { Journey, Plan } from './plan.js';
import { createPlay, PSUS } from './play.js';
import { type Ask, createAsk } from './request.js';
import type { CellResult, Rehearsal } from './result.js';
import { type CalmDay, runCell } from './run-cell.js';
import { isOfApplication, type Stage } from './stage.js';
import type { ActionName } from './steps.js';

export interface RunParts {
  readonly plan: Plan;
  readonly cells: readonly Cell[];
  readonly seed: number;
  /** Settings of the gateway beside those of a rehearsal. */
  readonly config: (own: Readonly<Record<string, unknown>>) => Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly system: SystemParts;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly onCell: (result: CellResult, place: number) => void;
  /** The time of one action, in ms. */
  readonly actionMs?: number;
}

const ACTION_MS = 30_000;

/** @throws SandgateError where the gateway or the application does not start, or a calm day is too much for it */
export async function rehearse(parts: RunParts): Promise<Rehearsal> {
  const { plan, seed, system, signal, onProgress } = parts;
  const begun = system.stopwatch();
  const at = system.clock();
  const own = mkdtempSync(join(tmpdir(), 'sandgate-rehearsal-'));
  const closing: (() => unknown)[] = [() => rmSync(own, { recursive: true, force: true })];
  try {
    const config = parts.config(settingsOf(plan, seed, join(own, 'store.db')));
    let recorded: RecordedExchange[] = [];
    const sandgate = await startSandgate(config, system, {
      onProgress,
      onRecorded: ({ records }) => void recorded.push(...records),
    });
    closing.unshift(sandgate.close);
    const ask = createAsk(sandgate.certificates.caPem);
    const env = environmentOf(parts, config, sandgate);
    const application = await openApplication(plan, env, ask, signal);
    closing.unshift(application.stop);
    const drivers = await openDrivers(plan, env, sandgate, ask);
    closing.unshift(drivers.close);
    const stage: Stage = {
      ...{ plan, seed, ask, application, system, signal },
      gateway: sandgate,
      bank: sandgate.bank.common,
      driverOf: drivers.of,
      psuOrigin: new URL(sandgate.urls.psu).origin,
      recorded: () => recorded,
      begin: () => {
        recorded = [];
      },
      start: noonOf(at),
      actionMs: parts.actionMs ?? ACTION_MS,
    };
    const calm = await calmDay(stage);
    const cells: CellResult[] = [];
    for (const [place, cell] of parts.cells.entries()) {
      const result = await runCell(cell, stage, calm);
      cells.push(result);
      parts.onCell(result, place);
    }
    return { plan: plan.file, seed, at, ms: system.stopwatch() - begun, session: sandgate.session, cells };
  } finally {
    for (const close of closing) await close();
  }
}

/** The middle of a bank's day: neither a midnight nor a cut-off comes between two steps. */
const noonOf = (at: number): number => Math.floor(at / 86_400_000) * 86_400_000 + 10 * 3_600_000;

function settingsOf({ listen, psuListen }: Plan, seed: number, store: string): Record<string, unknown> {
  return {
    ...{ source: 'emulator', bank: 'living', bankSeed: seed, bankPsus: PSUS, bankNotify: 'all', store },
    listen: listen ?? '127.0.0.1:8443',
    psuListen: psuListen ?? '127.0.0.1:8444',
    adminListen: '127.0.0.1:0',
    notificationAllow: ['localhost'],
  };
}

/** The variables of the application: its bank's, the plan's, and the user's but for those of this program. */
function environmentOf({ env, plan }: RunParts, config: Config, { urls, certificates }: Sandgate) {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('SANDGATE_'));
  const tpp = plan.tpp ?? 'tpp';
  const file = (name: string) => resolve(certificates.dir, name);
  return {
    ...Object.fromEntries(others),
    SANDGATE_API: urls.api,
    SANDGATE_PSU: urls.psu,
    SANDGATE_CA: file('ca.pem'),
    SANDGATE_CERT: file(`${tpp}.pem`),
    SANDGATE_KEY: file(`${tpp}.key`),
    SANDGATE_SEGMENT: config.segment,
    ...plan.env,
  };
}

async function openDrivers(plan: Plan, env: CommandParts['env'], { urls }: Sandgate, ask: Ask) {
  const psuOrigin = new URL(urls.psu).origin;
  const known = new Map<string, Driver>();
  for (const { drive } of [plan.app.link, plan.app.pay].filter((one) => one !== undefined)) {
    const name = nameOf(drive);
    if (known.has(name)) continue;
    if (drive === 'follow') known.set(name, createFollower(ask, psuOrigin));
    else if (drive === 'browser') known.set(name, await openBrowserDriver(plan.browser, psuOrigin));
    else known.set(name, createCommandDriver(drive.command, { folder: plan.folder, env }));
  }
  return {
    of: ({ drive }: Journey): Driver => known.get(nameOf(drive)) as Driver,
    close: async () => {
      // A browser that has crashed is closed already.
      for (const driver of known.values()) await driver.close().catch(() => undefined);
    },
  };
}

const nameOf = (drive: Journey['drive']): string =>
  typeof drive === 'string' ? drive : `command ${drive.command}`;

/**
 * A day without weather: how many calls each action makes.
 * @throws SandgateError where the application does not manage it, because no cell would say more then
 */
async function calmDay(stage: Stage): Promise<CalmDay> {
  const { plan, gateway, application } = stage;
  const fail = (what: string, why: string) => {
    const output = application.output();
    return new SandgateError('rehearsal.calm', {
      what,
      why,
      output: output === '' ? '' : `\nIt wrote:\n${output}`,
    });
  };
  const wrong = await application.reset(stage.signal, AbortSignal.timeout(stage.actionMs));
  if (wrong !== null) throw fail('be reset', wrong);
  await stage.bank.reset();
  gateway.clock.change({ now: stage.start, mode: 'running' });
  const play = createPlay({ id: 'calm day' }, stage);
  const calls: Record<ActionName, number> = { link: 0, sync: 0, pay: 0 };
  const days: readonly ActionName[] = [
    'link',
    ...(plan.app.sync ? (['sync'] as const) : []),
    ...(plan.app.pay ? (['pay'] as const) : []),
  ];
  for (const action of days) {
    stage.begin();
    const [{ end, why } = { end: 'hung', why: '' }] = await play.act(action);
    if (stage.signal.aborted) throw new SandgateError('run.interrupted', { what: 'no cell had been run' });
    if (end !== 'done' || why !== '') throw fail(action, `${why}${saidBy(play.saw.at(-1)?.text)}`);
    await gateway.recorder.drain();
    calls[action] = stage.recorded().filter(isOfApplication).length;
  }
  const isNotified = stage
    .recorded()
    .some(
      ({ exchange: { call } }) =>
        call.operation !== null &&
        OPERATIONS[call.operation].creates === 'payment' &&
        call.header['tpp-notification-uri'] !== undefined,
    );
  if (plan.app.belief !== undefined) {
    const { end, why, text } = await play.request(null, plan.app.belief);
    const believed = end === 'done' ? readBelief(text) : why;
    if (typeof believed === 'string') throw fail('say what it believes', believed);
  }
  return { calls, isNotified };
}

const saidBy = (text = ''): string => (text === '' ? '' : `. It showed “${text.slice(0, 300)}”`);

/** The cells that are asked for; those of the plan where no flag says it. @throws SandgateError for unknown names */
export function selectCells(
  all: readonly Cell[],
  wanted: {
    readonly families?: readonly string[] | undefined;
    readonly cells?: readonly string[] | undefined;
  },
): readonly Cell[] {
  const check = (names: readonly string[], known: readonly string[], kind: string) => {
    for (const name of names)
      if (!known.includes(name))
        throw new SandgateError('rehearsal.unknown', { kind, name, nearest: slipOf(name, known) });
  };
  const { families, cells } = wanted;
  check(families ?? [], [...new Set(all.map(({ family }) => family))], 'family');
  check(
    cells ?? [],
    all.map(({ id }) => id),
    'cell',
  );
  if (families === undefined && cells === undefined) return all;
  return all.filter(({ id, family }) => families?.includes(family) === true || cells?.includes(id) === true);
}

/** Cells whose weather meets operations that the bank offers. */
export const offeredCells = (cells: readonly Cell[], { offers }: Pick<Dialect, 'offers'>): readonly Cell[] =>
  cells.filter(({ weather }) =>
    weather.every(({ where }) =>
      [...where.matchAll(/operation:([\w.*-]+)/g)].every(([, pattern = '']) =>
        EVERY_OPERATION_ID.some((id) => namesOperation(pattern, id) && offers(id)),
      ),
    ),
  );
