/**
 * Measures the store: what an exchange costs in time and bytes, and whether it stays so as the store grows.
 * `npx tsx bench/store.ts [--rows N]`: a million exchanges, otherwise N, in each of three ways.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFingerprint, createRedactor } from '../src/exchange/index.js';
import { createSqliteStore, type LocalStore, type RecordedExchange } from '../src/store/index.js';
import { exchangeSource, VERDICTS } from './exchanges.js';

interface StoreBenchOptions {
  /** Exchanges stored in the end. */
  readonly rows: number;
  /** `same`: the bank answers alike, as the emulator does. `own`: each answer has a body of its own. */
  readonly bodies: 'same' | 'own';
  readonly durability: 'process' | 'power';
}

interface StoreBenchResult extends StoreBenchOptions {
  /** µs an exchange, redaction and commit included, of the second 10,000. */
  readonly microsecondsAt10k: number;
  /** The same over the last 10,000. */
  readonly microsecondsAtEnd: number;
  readonly growth: number;
  readonly redaction: number;
  /** Of file and log when all is in the file. */
  readonly bytesEach: number;
  /** Largest log on the way, in MB. */
  readonly largestLog: number;
  readonly longestAppendMs: number;
  readonly openMs: number;
  readonly readMicroseconds: number;
}

/** Exchanges in one commit. */
const BATCH = 20;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const ROWS = Math.max(BATCH, Number(values.rows));
/** What the first ones cost is held against what the last ones cost. */
const SLICE = Math.min(10_000, ROWS);
const micros = (from: bigint): number => Number(process.hrtime.bigint() - from) / 1_000;

/** One store of the given size, filled and measured. */
function benchStore(options: StoreBenchOptions): StoreBenchResult {
  const { rows, bodies, durability } = options;
  const directory = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
  const path = join(directory, 'bench.db');
  try {
    const store = createSqliteStore({ path, durability });
    const filled = fill(store, path, { rows, bodies });
    store.close();
    const bytesEach = statSync(path).size / rows;
    const opening = process.hrtime.bigint();
    const again = createSqliteStore({ path });
    again.sessions();
    const openMs = micros(opening) / 1_000;
    const reading = process.hrtime.bigint();
    let read = 0;
    for (const _ of again.read('bench', { limit: SLICE })) read += 1;
    const readMicroseconds = micros(reading) / read;
    again.close();
    return { ...options, ...filled, bytesEach, openMs, readMicroseconds };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function fill(store: LocalStore, path: string, { rows, bodies }: Pick<StoreBenchOptions, 'rows' | 'bodies'>) {
  const make = exchangeSource(bodies);
  const fingerprint = createFingerprint(store.fingerprintKey);
  const slices: number[] = [];
  const redact = createRedactor(fingerprint);
  let redacting = 0;
  let longest = 0;
  let largestLog = 0;
  for (let slice = 0; slice < rows / SLICE; slice++) {
    let spent = 0;
    for (let done = 0; done < SLICE; done += BATCH) {
      const exchanges = Array.from({ length: BATCH }, make);
      const from = process.hrtime.bigint();
      const records: RecordedExchange[] = exchanges.map((exchange) => ({
        exchange: redact(exchange).exchange,
        verdicts: VERDICTS,
        findings: [],
      }));
      const redacted = micros(from);
      store.append({ records, changes: [] });
      const all = micros(from);
      redacting += redacted;
      spent += all;
      longest = Math.max(longest, all - redacted);
    }
    slices.push(spent / SLICE);
    largestLog = Math.max(largestLog, existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0);
  }
  const first = slices[1] ?? (slices[0] as number);
  const last = slices.at(-1) as number;
  return {
    microsecondsAt10k: first,
    microsecondsAtEnd: last,
    growth: last / first,
    redaction: redacting / rows,
    largestLog: largestLog / 1_048_576,
    longestAppendMs: longest / 1_000,
  };
}

/** A column for each way, a line for each figure. */
const results = (
  [
    { bodies: 'same', durability: 'process' },
    { bodies: 'own', durability: 'process' },
    { bodies: 'same', durability: 'power' },
  ] as const
).map((way) => benchStore({ rows: ROWS, ...way }));

for (const name of Object.keys(results[0] ?? {}) as (keyof StoreBenchResult)[]) {
  const cells = results.map(({ [name]: value }) =>
    (typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : value).padStart(
      12,
    ),
  );
  console.log(`${name.padEnd(18)}${cells.join('')}`);
}
