/** Measures a server under load: calls a second, latencies, memory, and what of the answered calls its store lost. */
import { readFileSync } from 'node:fs';
import { createSqliteStore } from '../src/store/index.js';
import { type Measured, runLoad, type Server } from './processes.js';

export interface Load {
  /** Arguments for node that start the load generator. */
  readonly program: readonly string[];
  readonly certs: string;
  readonly seconds: number;
  readonly runs: number;
  readonly connections: number;
}

export interface Subject {
  readonly name: string;
  readonly start: () => Promise<Server>;
  /** The request, in base64. */
  readonly call: (server: Server) => string | Promise<string>;
  /** The file that it records in; absent: it records nothing. */
  readonly store?: string;
}

export interface Row {
  readonly name: string;
  readonly measured: Measured;
  readonly memory: readonly [before: number, after: number];
  readonly lost: string;
}

/** Several runs on one server; the median counts. */
export async function measure({ name, start, call, store }: Subject, load: Load): Promise<Row> {
  const server = await start();
  const before = server.memory();
  const request = await call(server);
  const all: Measured[] = [];
  const idFiles: string[] = [];
  for (let run = 0; run < load.runs; run++) {
    const ids = store === undefined ? '' : `${store}.${run}.ids`;
    if (ids !== '') idFiles.push(ids);
    const args = [server.port, load.certs, load.seconds, load.connections, request, ids].map(String);
    all.push(await runLoad([...load.program, ...args]));
  }
  const after = server.memory();
  await server.stop();
  all.sort((a, b) => a.perSecond - b.perSecond);
  const measured = all[Math.floor(all.length / 2)] as Measured;
  const wrong = Object.keys(measured.statuses).filter((status) => status !== '200');
  if (wrong.length > 0) throw new Error(`${name} answered ${JSON.stringify(measured.statuses)}`);
  const lost = store === undefined ? '-' : lostOf(store, idFiles);
  return { name, measured, memory: [before, after], lost };
}

/** Exchanges that a client saw answered and that the store does not hold. */
function lostOf(path: string, idFiles: readonly string[]): string {
  const store = createSqliteStore({ path, readonly: true });
  const kept = new Set<string>();
  for (const { exchange } of store.read('bench')) kept.add(exchange.call.id);
  store.close();
  let lost = 0;
  let seen = 0;
  for (const file of idFiles)
    for (const id of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      seen += 1;
      if (!kept.has(id)) lost += 1;
    }
  return `${lost} of ${seen}`;
}

/** The first row is the yardstick; `than` says what it is. */
export function printRows(rows: readonly Row[], than: string): void {
  const yardstick = rows[0]?.measured.perSecond ?? 1;
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)}`;
  const head = ['', 'req/s', `of ${than}`, 'p50 ms', 'p99 ms', 'memory MB', 'lost'];
  const table = rows.map(({ name, measured, memory, lost }) => [
    name,
    Math.round(measured.perSecond).toLocaleString('en'),
    (measured.perSecond / yardstick).toFixed(2),
    measured.p50.toFixed(2),
    measured.p99.toFixed(2),
    memory.map(megabytes).join(' to '),
    lost,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...table.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, ...table])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
}
