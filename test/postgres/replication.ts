/** A replica that follows a server, hears of nothing any more, or takes its place. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type RunningServer, runServer, type ServerSettings } from './run-server.js';

type Reached = Pick<RunningServer, 'port' | 'password'>;

/** The first value of the last statement. */
async function ask({ port, password }: Reached, ...statements: string[]): Promise<string> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'sandgate', password, database: 'postgres' });
  await client.connect();
  try {
    let told = '';
    for (const text of statements) {
      const { rows } = await client.query({ text, rowMode: 'array' });
      told = String(rows[0]?.[0]);
    }
    return told;
  } finally {
    await client.end();
  }
}

const MOST_MS = 30_000;

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + MOST_MS; !(await isSo()); await pause(20))
    if (Date.now() > end) throw new Error(`${what} took too long`);
}

/** The server is stopped for a moment. */
export async function replicaOf(
  server: RunningServer,
  { flags = {} }: Pick<ServerSettings, 'flags'> = {},
): Promise<RunningServer> {
  const { port, password, folder } = server;
  await server.stop();
  const settings = `primary_conninfo = 'host=127.0.0.1 port=${port} user=sandgate password=${password}'\n`;
  const replica = await runServer({
    flags,
    from: folder,
    files: { 'standby.signal': '', 'postgresql.auto.conf': settings },
  });
  await server.start();
  return replica;
}

/** All that is committed by now is at the replica. */
export async function followed(server: Reached, replica: Reached): Promise<void> {
  const written = await ask(server, 'SELECT pg_current_wal_lsn()');
  const follows = `SELECT coalesce(pg_last_wal_replay_lsn() >= '${written}', false)`;
  await until(async () => (await ask(replica, follows)) === 'true', 'following');
}

/** From now on nothing is acknowledged that the replica does not have. */
export async function waitForReplica(server: Reached): Promise<void> {
  await ask(server, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
  const states = "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
  await until(async () => (await ask(server, states)) === '1', 'waiting for the replica');
}

/** It hears of nothing any more. */
export async function part(replica: Reached): Promise<void> {
  await ask(replica, "ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()');
  const receivers = 'SELECT count(*) FROM pg_stat_wal_receiver';
  await until(async () => (await ask(replica, receivers)) === '0', 'parting');
}

/** It is the server. */
export const promote = (replica: Reached): Promise<string> => ask(replica, 'SELECT pg_promote()');
