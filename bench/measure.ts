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
  /** The median. */
  readonly measured: Measured;
  readonly runs: readonly Measured[];
  /** Of the processor, µs a call: the least of the runs, which is the one that others disturbed least. */
  readonly cpu: number;
  readonly memory: readonly [before: number, after: number];
  readonly lost: string;
}

/**
 * Several runs on each server, in turns, so that what else the machine does falls on all of them alike; the median of
 * each counts.
 */
export async function measureTogether(subjects: readonly Subject[], load: Load): Promise<Row[]> {
  const running: Running[] = [];
  try {
    for (const subject of subjects) running.push(await begin(subject));
    for (let run = 0; run < load.runs; run++) for (const one of running) await runOnce(one, run, load);
  } finally {
    for (const { server } of running) await server.stop();
  }
  return running.map(rowOf);
}

interface Running {
  readonly subject: Subject;
  readonly server: Server;
  readonly request: string;
  readonly before: number;
  after: number;
  readonly runs: Measured[];
  /** µs a call, by run. */
  readonly cpu: number[];
  readonly idFiles: string[];
}

async function begin(subject: Subject): Promise<Running> {
  const server = await subject.start();
  const before = server.memory();
  const request = await subject.call(server);
  return { subject, server, request, before, after: before, runs: [], cpu: [], idFiles: [] };
}

async function runOnce(one: Running, run: number, load: Load): Promise<void> {
  const { store } = one.subject;
  const ids = store === undefined ? '' : `${store}.${run}.ids`;
  if (ids !== '') one.idFiles.push(ids);
  const args = [one.server.port, load.certs, load.seconds, load.connections, one.request, ids].map(String);
  const { measured, processor } = await runLoad([...load.program, ...args], () => [one.server.cpu()]);
  one.cpu.push(...processor);
  const wrong = Object.keys(measured.statuses).filter((status) => status !== '200');
  if (wrong.length > 0) throw new Error(`${one.subject.name} answered ${JSON.stringify(measured.statuses)}`);
  one.runs.push(measured);
  one.after = one.server.memory();
}

function rowOf({ subject: { name, store }, runs, cpu, before, after, idFiles }: Running): Row {
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond);
  const measured = sorted[Math.floor(sorted.length / 2)] as Measured;
  const lost = store === undefined ? '-' : lostOf(store, idFiles);
  return { name, measured, runs, cpu: Math.min(...cpu), memory: [before, after], lost };
}

/** The upper one of two in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** How many times as many calls a second: the median over the turns. */
export function timesAsMany(row: Row, than: Row): number {
  return median(row.runs.map(({ perSecond }, turn) => perSecond / (than.runs[turn]?.perSecond ?? 1)));
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
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)}`;
  const head = ['', 'req/s', `of ${than}`, 'p50 ms', 'p99 ms', 'CPU µs', 'memory MB', 'lost'];
  const table = rows.map((row) => [
    row.name,
    Math.round(row.measured.perSecond).toLocaleString('en'),
    timesAsMany(row, rows[0] ?? row).toFixed(2),
    row.measured.p50.toFixed(2),
    row.measured.p99.toFixed(2),
    row.cpu.toFixed(0),
    row.memory.map(megabytes).join(' to '),
    row.lost,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...table.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, ...table])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
}
