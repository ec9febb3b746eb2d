/**
 * The live page while 1,000 calls a second come in, in a real browser: `npx tsx bench/page.ts [--quick]`, after a build.
 * How long a key takes until it is painted, what the page holds, what the gateway pays for it, how late events are, and
 * how long a search takes over all that was recorded meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { benchCertificates } from './certificates.js';
import { untilIndexed } from './indexed.js';
import { openPaced, type Paced } from './paced.js';
import { type Server, startGateway } from './processes.js';

const SECONDS = process.argv.includes('--quick') ? 10 : 60;
const PER_SECOND = 1_000;
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-page-'));
const certs = await benchCertificates();
const server = await startGateway({ program: PROGRAM, certs, store: join(folder, 'page.db') }, []);
const paced = await openPaced(server.port, certs);
const { browser, close } = await startBrowser();
try {
  await paced.run(PER_SECOND, 3);
  const without = await costOf(server, paced);
  const page = await browser.newPage();
  await page.goto(server.admin);
  await page.locator('.pill.live').waitFor();
  const session = await page.context().newCDPSession(page);
  const heapBefore = await heapOf(session);
  const keys: number[] = [];
  let isOver = false;
  const pressing = (async () => {
    while (!isOver) {
      keys.push(await keyPress(page));
      await pause(250);
    }
  })();
  const withPage = await costOf(server, paced);
  isOver = true;
  await pressing;
  console.log(`${PER_SECOND} calls a second for ${SECONDS} s`);
  console.log(
    `  answered a second, without and with the page: ${round(without.rate)}, ${round(withPage.rate)}`,
  );
  console.log(
    `  processor of the gateway a call, in µs: ${round(without.cpu * 1e6)}, ${round(withPage.cpu * 1e6)}`,
  );
  console.log(
    `  key to paint, in ms: median ${round(quantile(keys, 0.5))}, 99 % ${round(quantile(keys, 0.99))}`,
  );
  console.log(
    `  heap of the page, in MB: ${round(heapBefore / 1e6)}, ${round((await heapOf(session)) / 1e6)}`,
  );
  // Under a load like this one it waits for quieter times.
  console.log(`  until the index has followed, in s: ${round(await untilIndexed(server.admin, 'bench'))}`);
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

/** Seconds of the processor a call, and calls answered a second. */
async function costOf(gateway: Server, load: Paced): Promise<{ rate: number; cpu: number }> {
  const before = gateway.cpu();
  const rate = await load.run(PER_SECOND, SECONDS);
  return { rate, cpu: (gateway.cpu() - before) / (rate * SECONDS) };
}

/** Until the frame after it is drawn; the way to the browser and back is in it. */
async function keyPress(page: Page): Promise<number> {
  const start = performance.now();
  await page.keyboard.press('j');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  return performance.now() - start;
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
