/**
 * Measures how long a test waits for its gateway: the first one of all, which makes the certificates, the first one of
 * a process, and those after it. `npx tsx bench/testing.ts [--quick]`; `--quick` is for a first look only.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './measure.js';
import { partOf } from './processes.js';

const QUICK = process.argv.includes('--quick');
const STARTS = QUICK ? 3 : 50;
const PROCESSES = QUICK ? 1 : 5;

interface Starts {
  /** Loading the library, ms. */
  readonly load: number;
  /** Each start, ms; the first is that of the process. */
  readonly starts: readonly number[];
  readonly closes: readonly number[];
}

if (process.argv.includes('--one')) process.stdout.write(JSON.stringify(await measure()));
else report();

async function measure(): Promise<Starts> {
  const before = performance.now();
  const { startGateway } = await import('../src/testing/index.js');
  const load = performance.now() - before;
  const starts: number[] = [];
  const closes: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const asked = performance.now();
    const gateway = await startGateway();
    const open = performance.now();
    await gateway.close();
    starts.push(open - asked);
    closes.push(performance.now() - open);
  }
  return { load, starts, closes };
}

function report(): void {
  const cache = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
  try {
    const runs = Array.from({ length: PROCESSES + 1 }, () => runOne(cache));
    const [cold, ...warm] = runs as [Starts, ...Starts[]];
    const firsts = warm.map(({ starts }) => starts[0] ?? 0);
    const rest = warm.flatMap(({ starts }) => starts.slice(1));
    print('loading the library (from source)', median(warm.map(({ load }) => load)));
    print('first start ever: certificates are made', cold.starts[0] ?? 0);
    print('first start of a process', median(firsts));
    print('every further start, median', median(rest));
    print('every further start, worst', Math.max(...rest));
    print('close, median', median(warm.flatMap(({ closes }) => closes)));
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function runOne(cache: string): Starts {
  const args = [...partOf('testing'), '--one', ...(QUICK ? ['--quick'] : [])];
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as Starts;
}

function print(what: string, ms: number): void {
  console.log(`${what.padEnd(42)} ${ms.toFixed(1).padStart(8)} ms`);
}
