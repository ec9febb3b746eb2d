/**
 * What it costs a gateway at full load that somebody follows it: nobody, a client of `/api/events`, the live page in a
 * real browser; in turns: `npx tsx bench/followed.ts [--quick]`, after a build.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MeasuredBrowser, startBrowser } from './browser.js';
import { benchCertificates } from './certificates.js';
import { median } from './measure.js';
import { partOf, runLoad, type Server, startGateway } from './processes.js';
import { accountsRequest } from './requests.js';

const QUICK = process.argv.includes('--quick');
/** The first second, in which all is told that comes, is over before it is measured. */
const SECONDS = QUICK ? 0.1 : 5;
const TURNS = QUICK ? 1 : 7;
const CONNECTIONS = 32;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LOAD = partOf('load');
const PROGRAM = here('../dist/cli/main.js');

/** Resolves with what ends it. */
type Follow = (gateway: Server, browser: MeasuredBrowser) => Promise<() => Promise<void>>;

const WAYS: Readonly<Record<string, Follow>> = {
  nobody: async () => async () => {},
  '/api/events': (gateway) => read(gateway, '/api/events'),
  '/api/events?most=250': (gateway) => read(gateway, '/api/events?most=250'),
  'the live page': openPage,
};

/** `gateway`, `browser`: µs of the processor a call. */
interface Turn {
  readonly perSecond: number;
  readonly gateway: number;
  readonly browser: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-followed-'));
const certs = await benchCertificates();
const browser = await startBrowser();
// One for all: what another one reads again once nobody follows it would be done in the turn of the next.
const store = join(folder, 'followed.db');
const server = await startGateway({ program: PROGRAM, certs, store }, ['--index', 'off']);
const call = await accountsRequest(server.port, certs);
const ways = Object.entries(WAYS).map(([name, follow]) => ({ name, follow, turns: [] as Turn[] }));
try {
  for (let turn = 0; turn < TURNS; turn++)
    for (const { follow, turns } of ways) turns.push(await take(follow));
  print();
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function take(follow: Follow): Promise<Turn> {
  const end = await follow(server, browser);
  const args = [server.port, certs, SECONDS, CONNECTIONS, call].map(String);
  const used = () => [server.cpu(), browser.cpu()];
  const { measured, processor } = await runLoad([...LOAD, ...args], used);
  await end();
  const [gateway = 0, ofBrowser = 0] = processor;
  return { perSecond: measured.perSecond, gateway, browser: ofBrowser };
}

/** Against nobody in the same turn; the median of the turns. */
function print(): void {
  const [nobody] = ways;
  console.log(`\n${CONNECTIONS} connections, ${SECONDS} s, median of ${TURNS} turns`);
  console.log(`${''.padEnd(22)}  req/s     lost  CPU µs a call: gateway    more  browser`);
  for (const { name, turns } of ways) {
    const against = (of: (turn: Turn) => number): number =>
      median(turns.map((turn, i) => of(turn) / of(nobody?.turns[i] ?? turn)));
    const cells = [
      Math.round(median(turns.map(({ perSecond }) => perSecond)))
        .toLocaleString('en')
        .padStart(7),
      percent(1 - against(({ perSecond }) => perSecond)).padStart(9),
      median(turns.map(({ gateway }) => gateway))
        .toFixed(1)
        .padStart(24),
      percent(against(({ gateway }) => gateway) - 1).padStart(8),
      median(turns.map((turn) => turn.browser))
        .toFixed(1)
        .padStart(9),
    ];
    console.log(`${name.padEnd(22)}${cells.join('')}`);
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Takes all that comes, and does nothing with it. */
async function read({ admin }: Server, path: string): Promise<() => Promise<void>> {
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${admin}${path}`, { agent: false }, resolve).on('error', reject).end();
  });
  stream.resume();
  await untilRead(admin);
  return async () => {
    stream.destroy();
  };
}

async function openPage({ admin }: Server, opened: MeasuredBrowser): Promise<() => Promise<void>> {
  const page = await opened.browser.newPage();
  await page.goto(admin);
  await page.locator('.pill.live').waitFor();
  await untilRead(admin);
  return () => page.close();
}

/** What is there already is read once, by whoever comes first: that is no cost of a call. */
async function untilRead(admin: string): Promise<void> {
  await (await fetch(`${admin}/api/journeys`)).text();
}
