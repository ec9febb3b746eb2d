/** A server with a replica that follows it, behind one address; the replica takes its place. */
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { startProxy } from './proxy.js';
import { type RunningServer, runServer } from './run-server.js';

export interface Replicated {
  /** Of whoever is the server now. */
  readonly port: number;
  readonly replicaPort: number;
  readonly password: string;
  /** All that is committed by now is at the replica. */
  readonly followed: () => Promise<void>;
  /** The replica hears of nothing any more. */
  readonly partReplica: () => Promise<void>;
  /** The server is killed, and the replica is the server. */
  readonly failOver: () => Promise<void>;
}

async function ask(server: RunningServer, ...statements: string[]): Promise<string> {
  const { port, password } = server;
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

export async function startReplicated(): Promise<Replicated> {
  const server = await runServer();
  onTestFinished(server.close);
  const { port, password } = server;
  await server.stop();
  const settings = `primary_conninfo = 'host=127.0.0.1 port=${port} user=sandgate password=${password}'\n`;
  const replica = await runServer({
    from: server.folder,
    files: { 'standby.signal': '', 'postgresql.auto.conf': settings },
  });
  onTestFinished(replica.close);
  await server.start();
  const proxy = await startProxy(port);
  return {
    port: proxy.port,
    replicaPort: replica.port,
    password,
    followed: async () => {
      const written = await ask(server, 'SELECT pg_current_wal_lsn()');
      const follows = `SELECT pg_last_wal_replay_lsn() >= '${written}'`;
      await expect.poll(() => ask(replica, follows), { timeout: 10_000 }).toBe('true');
    },
    partReplica: async () => {
      await ask(replica, "ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()');
      const receivers = 'SELECT count(*) FROM pg_stat_wal_receiver';
      await expect.poll(() => ask(replica, receivers), { timeout: 10_000 }).toBe('0');
    },
    failOver: async () => {
      await server.kill();
      await ask(replica, 'SELECT pg_promote()');
      proxy.moveTo(replica.port);
    },
  };
}
