/** Stores in PostgreSQL for tests, each in a schema of its own. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/store/index.js';
import { aPath } from '../store/stores.js';
import { addressOf } from './run-server.js';

/** An address where nothing is yet. */
export const aSchema = (): string => addressOf(inject('postgres'), `t_${randomBytes(6).toString('hex')}`);

type Options = NonNullable<StoreOptions['postgres']> & { readonly readonly?: boolean };

export async function postgresStore(
  address = aSchema(),
  { readonly = false, keyFile = aPath('store.key'), ...options }: Options = {},
): Promise<Store> {
  const store: Store = await openStore(address, { readonly, postgres: { keyFile, ...options } });
  onTestFinished(() => store.close());
  return store;
}

async function client(): Promise<pg.Client> {
  const { port, password } = inject('postgres');
  const one = new pg.Client({ host: '127.0.0.1', port, user: 'sandgate', password, database: 'postgres' });
  await one.connect();
  return one;
}

/** Runs statements as the owner of the server; `later` when the test is over. */
async function run(statements: string, later?: string): Promise<void> {
  const one = await client();
  await one.query(statements);
  await one.end();
  if (later !== undefined) onTestFinished(() => run(later));
}

export interface OpenTransaction {
  (): Promise<void>;
  /** How many wait for its locks, directly or behind somebody who does. */
  readonly waiting: () => Promise<number>;
}

const WAITING = `WITH RECURSIVE waiting (pid) AS (
    SELECT pg_backend_pid()
    UNION SELECT blocked.pid FROM pg_locks AS blocked JOIN waiting ON NOT granted AND waiting.pid = ANY (pg_blocking_pids(blocked.pid))
  ) SELECT count(*)::int4 - 1 AS waiting FROM waiting`;

/** Leaves its transaction open until what it gives is called. */
async function open(statements: string): Promise<OpenTransaction> {
  const one = await client();
  await one.query(statements);
  return Object.assign(() => one.end(), {
    waiting: async () => (await one.query(WAITING)).rows[0].waiting,
  });
}

export const query = Object.assign(run, { open });

export async function rowsOf(text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
  const one = await client();
  const { rows } = await one.query({ text, values: [...values], rowMode: 'array' });
  await one.end();
  return rows;
}

/** How many wait for a lock on a table. */
export async function waitingFor(table: string): Promise<number> {
  const waiting = 'SELECT count(*)::int4 FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
  return Number((await rowsOf(waiting, [table]))[0]?.[0]);
}
