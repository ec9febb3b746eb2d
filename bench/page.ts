/**
 * The live page while 1,000 calls a second come in, in a real browser: `npx tsx bench/page.ts [--quick]`, after a build.
 * What the gateway pays for it, what the page weighs and holds, how long its first paint and each key take, how late events
 * are, and how long a search takes over all that was recorded meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { benchCertificates } from './certificates.js';
import { untilIndexed } from './indexed.js';
import { openPaced, type Paced } from './paced.js';
import { type Server, startGateway } from './processes.js';

const [SECONDS, TURNS] = process.argv.includes('--quick') ? [5, 1] : [20, 3];
const PER_SECOND = 1_000;
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-page-'));
const certs = await benchCertificates();
const server = await startGateway({ program: PROGRAM, certs, store: join(folder, 'page.db') }, []);
const paced = await openPaced(server.port, certs);
const { browser, close } = await startBrowser();
try {
  // The program of the page, and what answers it, are loaded once.
  const warm = await openPage(server.admin);
  await paced.run(PER_SECOND, 3);
  await warm.close();
  const turns: { readonly without: Cost; readonly with: Cost }[] = [];
  const keys: number[] = [];
  const paints: number[] = [];
  let heaps: readonly number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const without = await costOf(server, paced);
    const page = await openPage(server.admin);
    const session = await page.context().newCDPSession(page);
    const heapBefore = await heapOf(session);
    let isOver = false;
    let presses = 0;
    const pressing = (async () => {
      while (!isOver) {
        await page.keyboard.press('j');
        presses += 1;
        await pause(250);
      }
    })();
    turns.push({ without, with: await costOf(server, paced) });
    isOver = true;
    await pressing;
    const slow = (await page.evaluate('slowKeys')) as number[];
    keys.push(...slow, ...Array.from({ length: presses - slow.length }, () => 0));
    paints.push((await page.evaluate(FIRST_PAINT)) as number);
    heaps = [heapBefore, await heapOf(session)];
    await page.close();
  }
  const told = (values: readonly number[]) => values.map((value) => round(value)).join(', ');
  const medianOf = (of: (turn: (typeof turns)[number]) => number) => quantile(turns.map(of), 0.5);
  console.log(
    `${PER_SECOND} calls a second, without and with the page in ${TURNS} turns of ${SECONDS} s each`,
  );
  console.log(
    `  answered a second: ${told([medianOf((turn) => turn.without.rate), medianOf((turn) => turn.with.rate)])}`,
  );
  const cpu = [medianOf((turn) => turn.without.cpu), medianOf((turn) => turn.with.cpu)];
  console.log(
    `  processor of the gateway a call, in µs: ${told(cpu.map((one) => one * 1e6))}; ratio ${medianOf((turn) => turn.with.cpu / turn.without.cpu).toFixed(2)}`,
  );
  console.log(`  weight of the page, gzipped, in kB: ${round((await weightOf(server.admin)) / 1_000)}`);
  console.log(`  first paint, in ms: ${told(paints)}`);
  // The browser tells those that take 16 ms or more.
  console.log(
    `  key to paint, in ms, of ${keys.length}: 99 % ${round(quantile(keys, 0.99))}, slowest ${round(Math.max(...keys))}`,
  );
  console.log(`  heap of the page, in MB: ${told(heaps.map((bytes) => bytes / 1e6))}`);
  // Under a load like this one it waits for quieter times.
  console.log(`  until the index has followed, in s: ${round(await untilIndexed(server.admin, 'bench'))}`);
  const page = await openPage(server.admin);
  console.log(`  search over all of it, in ms: ${round(await searchOf(page))}`);
  await page.close();
  const late = await lateness(server, paced);
  console.log(
    `events at 100 calls a second, in ms after the answer: median ${round(quantile(late, 0.5))}, 99 % ${round(quantile(late, 0.99))}`,
  );
} finally {
  await close();
  await paced.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Cost {
  /** Calls answered a second. */
  readonly rate: number;
  /** Seconds of the processor a call. */
  readonly cpu: number;
}

async function costOf(gateway: Server, load: Paced): Promise<Cost> {
  const before = gateway.cpu();
  const rate = await load.run(PER_SECOND, SECONDS);
  return { rate, cpu: (gateway.cpu() - before) / (rate * SECONDS) };
}

/** As the browser measures it: this process makes the load, too, and would measure its own pauses. */
async function openPage(admin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(`
    globalThis.slowKeys = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') slowKeys.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  await page.goto(admin);
  await page.locator('.pill.live').waitFor();
  return page;
}

async function weightOf(admin: string): Promise<number> {
  const files = ['/', '/page/main.js', '/page/main.css'].map(async (path) => {
    const answer = await fetch(`${admin}${path}`);
    return gzipSync(await answer.text()).length;
  });
  return (await Promise.all(files)).reduce((sum, size) => sum + size, 0);
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function searchOf(page: Page): Promise<number> {
  await page.keyboard.press('/');
  await page.keyboard.type('operation:oauth.token');
  const start = performance.now();
  await page.keyboard.press('Enter');
  await page.locator('.row', { hasText: 'token' }).first().waitFor();
  return performance.now() - start;
}

async function lateness(gateway: Server, load: Paced): Promise<readonly number[]> {
  const answered = new Map<string, number>();
  const late: number[] = [];
  const stream = await fetch(`${gateway.admin}/api/events`);
  const reading = (async () => {
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
      for (const [, id = ''] of Buffer.from(chunk)
        .toString()
        .matchAll(/^id: (\w+)$/gm)) {
        const at = answered.get(id);
        if (at !== undefined) late.push(performance.now() - at);
      }
  })().catch(() => undefined);
  await load.run(100, 10, (exchange) => answered.set(exchange, performance.now()));
  await pause(500);
  await stream.body?.cancel().catch(() => undefined);
  void reading;
  return late;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

function round(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
