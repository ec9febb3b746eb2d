/** A PostgreSQL server of the benchmark's own, which ends with it; it keeps what it has committed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { replicaOf } from '../test/postgres/replication.js';
import { addressOf, type RunningServer, runServer } from '../test/postgres/run-server.js';
import { processorSecondsOfAll } from './processes.js';

export interface Postgres {
  readonly port: number;
  /** Of a schema in it, to be reached at its own port or at another one that leads there. */
  readonly address: (schema: string, port?: number) => string;
  /** Seconds of the processor that server and connections have used. */
  readonly cpu: () => number;
  /** Runs a statement; rows. */
  readonly query: (text: string) => Promise<Record<string, unknown>[]>;
  /** Transactions that were committed so far, as the server counts them: a second late. */
  readonly commits: () => Promise<number>;
  /** Without a word to anybody. Back when it is gone. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** One that follows it: it is stopped for a moment. */
  readonly replica: () => Promise<Postgres>;
  readonly password: string;
  readonly close: () => Promise<void>;
}

/** As a server that is installed is set, but for the flags. */
const SAFE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', shared_buffers: '256MB' };

export async function startPostgres(flags: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  return postgresOn(await runServer({ flags: { ...SAFE, ...flags } }));
}

function postgresOn(server: RunningServer): Postgres {
  const { port, password, folder, kill, stop, start, close } = server;
  const query = async (text: string) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'sandgate',
      password,
      database: 'postgres',
    });
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const postmaster = () => Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    ...{ port, password, query, kill, stop, start, close },
    replica: async () => postgresOn(await replicaOf(server, { flags: SAFE })),
    address: (schema, at = port) => addressOf({ port: at, password }, schema),
    cpu: () => processorSecondsOfAll(postmaster()),
    commits: async () => {
      const [row] = await query('SELECT sum(xact_commit)::int8 AS commits FROM pg_stat_database');
      return Number(row?.commits);
    },
  };
}
