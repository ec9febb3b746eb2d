/**
 * Measures the store in PostgreSQL as it fills: what an exchange costs in time and bytes against an empty table, reading,
 * a search, a report over a hundred thousand exchanges, and retention, by dropping a day and by deleting rows.
 * `npm run build && npx tsx bench/postgres-store.ts [--rows N] [--report N]`: a million exchanges, otherwise N.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFingerprint, createRedactor } from '../src/exchange/index.js';
import { DAY_MS } from '../src/spec/index.js';
import {
  openStore,
  parseFilter,
  type RecordedExchange,
  type RemoveOptions,
  type Store,
} from '../src/store/index.js';
import { exchangeSource, VERDICTS } from './exchanges.js';
import { fillStore } from './filled-store.js';
import { measureCommand } from './measured-command.js';
import { startPostgres } from './postgres.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    report: { type: 'string', default: '100000' },
  },
});
/** Exchanges in one commit. */
const BATCH = 20;
const ROWS = Math.max(BATCH, Number(values.rows));
const SLICE = Math.min(10_000, ROWS);
const FOUND = 500;

/** Stores take the machine's clock: a day passes in them at once. */
let ahead = 0;
const { now } = Date;
Date.now = () => now() + ahead;

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-'));
const keyFile = join(folder, 'key');
const postgres = await startPostgres();
const open = (schema: string) => openStore(postgres.address(schema), { postgres: { keyFile } });
const tell = (name: string, value: number, unit: string) =>
  console.log(`${name.padEnd(40)} ${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`);

interface Spent {
  readonly ms: number;
  /** µs of the processor, of this process and of the server: what else the machine does lengthens the time alone. */
  readonly processor: number;
}

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const [from, used, server] = [performance.now(), process.cpuUsage(), postgres.cpu()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - from, processor: user + system + (postgres.cpu() - server) * 1e6 };
}

function tellSpent(name: string, { ms, processor }: Spent, count: number, what: string): void {
  tell(name, (ms / count) * 1_000, `µs ${what}; of the processor ${Math.round(processor / count)}`);
}

/** Some ids of what was recorded. */
async function fill(store: Store): Promise<string[]> {
  const make = exchangeSource('own');
  const redact = createRedactor(createFingerprint(store.fingerprintKey));
  const ids: string[] = [];
  const slices: Spent[] = [];
  let longest = 0;
  for (let done = 0; done < ROWS; ) {
    const until = done + SLICE;
    const batches: RecordedExchange[][] = [];
    for (; done < until; done += BATCH) {
      const records = Array.from({ length: BATCH }, () => {
        return { exchange: redact(make()).exchange, verdicts: VERDICTS, findings: [] };
      });
      if (done % Math.ceil(ROWS / FOUND / BATCH) === 0) ids.push(records[0]?.exchange.call.id ?? '');
      batches.push(records);
    }
    const spent = await timed(async () => {
      for (const records of batches) {
        const from = performance.now();
        await store.append({ records, changes: [] });
        longest = Math.max(longest, performance.now() - from);
      }
    });
    slices.push(spent);
  }
  // The first one is compiled late.
  const [first, second = first, ...others] = slices;
  const last = others.at(-1) ?? second;
  if (second === undefined || last === undefined) return ids;
  tellSpent('commit, of the second 10,000', second, SLICE, `an exchange, ${BATCH} in a commit`);
  tellSpent('commit, of the last 10,000', last, SLICE, 'an exchange');
  tell('the last against the second, processor', last.processor / second.processor, 'times');
  tell('longest commit', longest, 'ms');
  return ids;
}

async function measureReading(store: Store, ids: readonly string[]): Promise<void> {
  let read = 0;
  const all = await timed(async () => {
    for await (const _ of store.read('bench', { limit: SLICE })) read += 1;
  });
  tellSpent('reading', all, read, 'an exchange');
  const found = ids.slice(0, FOUND);
  const finding = await timed(async () => {
    for (const id of found) await store.find(id);
  });
  tellSpent('finding one by its id', finding, found.length, 'each');
  for (const text of ['status>=500', 'request-id:99391c7e-ad88-49ec-a2ad-000000000007']) {
    let matches = 0;
    const spent = await timed(async () => {
      for await (const _ of store.read('bench', { where: parseFilter(text) })) matches += 1;
    });
    const over = ROWS.toLocaleString('en');
    tellSpent(`search for ${text}`, spent, ROWS, `an exchange over ${over}, ${matches} found`);
  }
}

async function measureRetention(store: Store, ids: readonly string[]): Promise<void> {
  const remove = async (name: string, options?: RemoveOptions) => {
    let count = 0;
    const spent = await timed(async () => {
      for await (const step of store.remove('bench', options)) count += step;
    });
    tellSpent(name, spent, count, `an exchange, ${count.toLocaleString('en')} removed`);
  };
  const tenth = ids[Math.floor(ids.length / 10)] ?? '';
  await remove('the oldest tenth, row by row', { before: tenth, at: Date.now() });
  // It is tomorrow: the day is over, and its table can go as a whole.
  ahead = DAY_MS;
  await remove('the rest, a day as a whole');
  ahead = 0;
}

/** What the server has written ahead, for itself and for replicas. */
async function logBytes(): Promise<number> {
  const [row] = await postgres.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 AS bytes");
  return Number(row?.bytes);
}

try {
  const store = await open('bench');
  const before = await logBytes();
  const ids = await fill(store);
  tell('bytes of log an exchange', ((await logBytes()) - before) / ROWS, 'bytes');
  const [sizes] = await postgres.query(
    "SELECT sum(pg_total_relation_size(oid))::int8 AS bytes FROM pg_class WHERE relnamespace = 'bench'::regnamespace AND relkind = 'r'",
  );
  tell('bytes an exchange, indexes included', Number(sizes?.bytes) / ROWS, 'bytes');
  await measureReading(store, ids);
  await measureRetention(store, ids);
  await store.close();

  const count = Number(values.report);
  await fillStore(await open('report'), count);
  console.log(`A report over ${count.toLocaleString('en')} exchanges:`);
  const args = ['--store', postgres.address('report'), '--out', join(folder, 'report')];
  await measureCommand('json, as recorded', ['report', 'bench', '--format', 'json', ...args]);
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
