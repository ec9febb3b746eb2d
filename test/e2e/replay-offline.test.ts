/** A replay opens no connection, looks up no name and sends no notification: seen from inside its process. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { callsOf } from '../mutations/changes.js';
import { JOURNEYS, type Journey } from '../mutations/journeys.js';
import { createClients, createValues, openReceiver, send } from '../mutations/play.js';
import { startServing, temporaryFolder } from './child.js';
import { testCertificates } from './harness.js';
import { openTwoGateways, type TwoGateways } from './two-gateways.js';

/** The notification first: its callback, if there is one, leaves while the other calls are made. */
const WALKS = ['notification', 'ais', 'pis', 'piis'] as const;
const WATCH = new URL('./record-outward.mjs', import.meta.url).href;
const folder = temporaryFolder();
const cassette = join(folder, 'all.json');
let certs: string;
let two: TwoGateways;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

/** Everything that a TPP does, through gateway A at bank B. */
beforeAll(async () => {
  certs = await testCertificates();
  receiver = await openReceiver();
  two = await openTwoGateways({ profile: 'sandbox', scaLink: 'discovery' });
  const records = [];
  for (const name of WALKS) records.push(...(await two.walk(name, 'a')).atA);
  const seen = records.filter(({ exchange: { call } }) => isSeen(call.operation, call.request.target));
  const meta = { session: 'all', dialect: dialectOf(), origins: two.a.urls };
  writeFileSync(cassette, [...buildCassette(seen, meta)].join(''));
});
afterAll(async () => {
  await two.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway on the way sees one authorization request: the browser then stays at the bank, to come back with the code. */
const isSeen = (operation: string | null, target: string) =>
  operation !== 'oauth.authorize' || target.includes('scenario=');

interface Run {
  /** What the process did outwards, a line each. */
  readonly outward: readonly string[];
  readonly report: { readonly unused: readonly unknown[]; readonly missed: readonly { text: string }[] };
  readonly notifications: number;
}

/** The program, watched from inside, while a TPP with values of its own makes all those calls. */
async function run(args: readonly string[]): Promise<Run> {
  const own = temporaryFolder();
  const file = join(own, 'outward.txt');
  const serving = await startServing(certs, ['--stance', 'observe', ...args], own, {
    NODE_OPTIONS: `--import ${WATCH}`,
    OUTWARD_FILE: file,
  });
  const { ready } = serving;
  const clients = createClients({ file: (name) => readFileSync(join(certs, name), 'utf8') }, {});
  const before = receiver.received();
  for (const name of WALKS) {
    const journey: Journey = JOURNEYS[name];
    const values = createValues(
      { urls: ready, now: Date.now },
      // By a name, so that a callback would have to look it up.
      { receiver: receiver.url.replace('127.0.0.1', 'localhost'), ...journey.knows?.sandbox },
    );
    const steps = journey.steps.filter(({ browser, query }) => !browser || query?.scenario !== undefined);
    for (const sent of callsOf(steps, undefined, undefined)) await send(sent, values, clients);
  }
  await clients.close();
  const dispatcher = new Agent();
  const { body } = await request(`${ready.admin}/api/replay`, { dispatcher });
  const report = (await body.json()) as Run['report'];
  await dispatcher.close();
  serving.process.kill('SIGTERM');
  await serving.ended;
  const outward = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  rmSync(own, { recursive: true, force: true });
  return { outward, report, notifications: receiver.received() - before };
}

describe('while every call of a TPP is answered', () => {
  it('a replay opens no connection, looks up no name and notifies nobody', async () => {
    const { outward, report, notifications } = await run(['--source', 'replay', '--replay', cassette]);
    expect(report.missed.map(({ text }) => text)).toEqual([]);
    expect(report.unused).toEqual([]);
    expect(outward).toEqual([]);
    expect(notifications).toBe(0);
  });

  it('a gateway before a bank does, as seen by the same watch', async () => {
    const { api, psu } = two.b.urls;
    const bank = ['--upstream', api, '--upstream-psu', psu, '--upstream-ca', join(certs, 'ca.pem')];
    const shown = ['--upstream-cert', join(certs, 'tpp.pem'), '--upstream-key', join(certs, 'tpp.key')];
    const { outward, notifications } = await run([...bank, ...shown]);
    expect(outward).toContain(`connect localhost ${new URL(api).port}`);
    expect(outward.some((line) => line.startsWith('lookup localhost'))).toBe(true);
    expect(notifications).toBe(1);
  });

  it('the emulator does where it notifies, as seen by the same watch', async () => {
    const { outward, notifications } = await run([]);
    expect(outward.filter((line) => line.startsWith('connect'))).toHaveLength(1);
    expect(outward).toContain('lookup localhost');
    expect(notifications).toBe(1);
  });
});
