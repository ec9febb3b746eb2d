/** Measures a report over many exchanges: time and memory of the built program. `npx tsx bench/report.ts [COUNT]`, after `npm run build`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFingerprint, redactExchange } from '../src/exchange/index.js';
import { createLedger, learn } from '../src/ledger/index.js';
import { createJudge, RULES } from '../src/rules/index.js';
import { createSqliteStore } from '../src/store/index.js';
import { anExchange, judgeOptions, NOW } from '../test/builders.js';
import { JOURNEY } from '../test/rules/journey.js';

const COUNT = Number(process.argv[2] ?? 100_000);
const BATCH = 50;
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-report-'));
const path = join(folder, 'bench.db');
try {
  fill();
  console.log(
    `A report over ${COUNT.toLocaleString('en')} exchanges, ${megabytes(statSync(path).size)} of store:`,
  );
  await measure('json, as recorded', ['--format', 'json']);
  await measure('json, judged again', ['--format', 'json', '--profile', 'production']);
  await measure('all formats', ['--format', 'html,json,junit,markdown,sarif']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A journey over and over, each call with ids of its own; every tenth call breaks a rule. */
function fill(): void {
  const store = createSqliteStore({ path });
  const fingerprint = createFingerprint(store.fingerprintKey);
  const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
  const ledger = createLedger();
  store.note('bench', {
    at: NOW,
    kind: 'started',
    settings: { source: 'upstream', stance: 'observe', profile: 'sandbox' },
  });
  for (let first = 0; first < COUNT; first += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, COUNT - first) }, (_, i) => {
      const exchange = redactExchange(exchangeAt(first + i), fingerprint);
      const before = judge.judgeCall(exchange.call, ledger);
      const { verdicts, findings } = judge.judgeExchange(exchange, ledger, before);
      learn(ledger, exchange, fingerprint);
      return { exchange, verdicts, findings };
    });
    store.append({ records, changes: [] });
  }
  store.close();
}

function exchangeAt(n: number) {
  const step = JOURNEY[n % JOURNEY.length];
  if (step === undefined) throw new Error('the journey is empty');
  const requestId = n % 10 === 0 ? 'no uuid' : `99391c7e-ad88-49ec-a2ad-${String(n).padStart(12, '0')}`;
  const { call, answer } = anExchange({
    call: {
      ...step.call,
      id: `0000${String(n).padStart(7, '0')}`,
      at: NOW + n * 25,
      headers: { 'X-Request-ID': requestId, ...step.call.headers },
    },
    answer: { source: 'upstream', headers: { 'X-Request-ID': requestId }, ...step.answer },
  });
  return {
    call: call.with({ session: 'bench' }),
    answer,
    fault: null,
    elapsed: { total: 2 + (n % 70), answerer: n % 70 },
  };
}

async function measure(name: string, flags: readonly string[]): Promise<void> {
  const out = join(folder, name.replaceAll(/\W+/g, '-'));
  const target = flags[1]?.includes(',') ? out : `${out}.json`;
  const start = process.hrtime.bigint();
  const child = spawn(
    process.execPath,
    [PROGRAM, 'report', 'bench', '--store', path, '--out', target, ...flags],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 50);
  const status = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const memory = peak === 0 ? 'not measured here' : megabytes(peak);
  console.log(`  ${name.padEnd(20)} ${seconds.toFixed(1)} s, at most ${memory}, status ${status}`);
}

/** The largest resident set so far, in bytes; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}
