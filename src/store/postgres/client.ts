/** Connections to PostgreSQL; the only place that imports its driver. */
import { readFileSync, statSync } from 'node:fs';
import { isIP, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SandgateError } from '../../spec/index.js';
import type { PostgresAddress } from './address.js';
import { endsConnection, serverFault } from './faults.js';
import { givenText, keptText } from './odd-text.js';
import { type OtherAsked, refuseTransactionPooler } from './pooler.js';

export interface Limits {
  /** In ms, of opening a connection. */
  readonly connect: number;
  /** In ms, of a statement: also where the network is silent. */
  readonly statement: number;
}

export interface ConnectOptions {
  readonly address: PostgresAddress;
  /** Holds the password; in place of that of the address. */
  readonly passwordFile?: string | undefined;
  readonly limits: Limits;
  /** Refuses to write. */
  readonly readonly: boolean;
  /** Called with whatever anybody notifies. */
  readonly onNotice?: (text: string) => void;
}

export type Row = readonly unknown[];

/** A statement that the server plans once for each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Connection {
  /** Rows as arrays; bytes as they are, 64-bit numbers as numbers. @throws SandgateError; `isLost` tells whether the connection is gone. */
  readonly query: (statement: Statement | string, values?: readonly unknown[]) => Promise<Row[]>;
  readonly isLost: () => boolean;
  /** Cuts it off, whatever goes on on it. */
  readonly destroy: () => void;
  /** When it is at rest. */
  readonly end: () => Promise<void>;
}

/** The oldest version of the server that is supported, as it tells it. */
const OLDEST = 140_000;
const KEEP_ALIVE_MS = 10_000;
/** The server ends a statement by itself; where it does not, the network is gone, or it. */
const GRACE_MS = 1_000;
const MOST_PASSWORD_BYTES = 4_096;

/** By the numbers of PostgreSQL's types: booleans, bytes, 64-bit and 32-bit numbers; all others are texts. */
const READERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: Number,
  23: Number,
};
const keptValue = (value: unknown): unknown => (typeof value === 'string' ? keptText(value) : value);
const types = { getTypeParser: (type: number) => READERS[type] ?? givenText };

/** @throws SandgateError in plain words, without password */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { address, limits, readonly } = options;
  const socket = new Socket();
  let isLost = false;
  const fault = (error: unknown): SandgateError => serverFault(error, address.shown);
  try {
    const client = clientOn(socket, options);
    const lose = (): void => {
      isLost = true;
    };
    client.on('error', lose);
    client.on('end', lose);
    socket.on('close', lose);
    client.on('notification', ({ payload = '' }) => options.onNotice?.(givenText(payload)));
    await client.connect();
    const query: Connection['query'] = async (statement, values) => {
      try {
        if (typeof statement === 'string' && values === undefined) {
          const results: unknown = await client.query({ text: statement, rowMode: 'array' });
          return Array.isArray(results) ? [] : (results as pg.QueryArrayResult).rows;
        }
        const named = typeof statement === 'string' ? { text: statement } : statement;
        const asked = { ...named, values: (values ?? []).map(keptValue), queryMode: 'extended', types };
        const { rows } = await client.query({ ...asked, rowMode: 'array' });
        return rows;
      } catch (error) {
        // A timeout of ours: what the server does with the statement is unknown, and its answer may still come.
        const { code } = error as { code?: unknown };
        if (code === undefined || endsConnection(code)) cut();
        throw fault(error);
      }
    };
    const cut = (): void => {
      isLost = true;
      socket.destroy();
    };
    const backend = async () => Number((await query('SELECT pg_backend_pid()', []))[0]?.[0]);
    try {
      const { processID } = client as { processID?: unknown };
      await refuseTransactionPooler({ backend }, processID, () => openOther(options), address.shown);
      await setUp(query, address, limits, readonly);
    } catch (error) {
      cut();
      throw error;
    }
    return {
      query,
      isLost: () => isLost,
      destroy: cut,
      end: async () => {
        if (isLost) return;
        // A server that does not say goodbye is not waited for.
        const late = new AbortController();
        await Promise.race([
          client.end().catch(cut),
          sleep(GRACE_MS, null, { signal: late.signal }).catch(() => {}),
        ]);
        late.abort();
        cut();
      },
    };
  } catch (error) {
    socket.destroy();
    throw fault(error);
  }
}

const clientOn = (socket: Socket, options: ConnectOptions) =>
  new pg.Client({
    host: options.address.host,
    port: options.address.port,
    user: options.address.user,
    database: options.address.database,
    password: passwordOf(options),
    ssl: tlsOf(options.address),
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: options.limits.connect,
    query_timeout: options.limits.statement + GRACE_MS,
    application_name: 'sandgate',
    // Whatever variables of the machine say.
    options: '',
    client_encoding: 'UTF8',
  });

/** In a transaction, for the time of a question. */
async function openOther(options: ConnectOptions): Promise<OtherAsked> {
  const socket = new Socket();
  const client = clientOn(socket, options);
  client.on('error', () => {});
  const end = async (): Promise<unknown> => socket.destroy();
  try {
    await client.connect();
    await client.query('BEGIN');
  } catch (error) {
    await end();
    throw error;
  }
  return { backend: async () => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid, end };
}

/** Backends whose gateway is gone end by themselves, and what a lock holds up is not waited for for ever. */
async function setUp(
  query: Connection['query'],
  { schema, shown }: PostgresAddress,
  { statement }: Limits,
  readonly: boolean,
): Promise<void> {
  const [row] = await query("SELECT current_setting('server_version_num')::int8", []);
  const version = Number(row?.[0]);
  if (version < OLDEST) {
    throw new SandgateError('store.server-old', { store: shown, version: Math.floor(version / 10_000) });
  }
  await query(
    `SET search_path = "${schema}", pg_temp; SET statement_timeout = ${statement}; SET lock_timeout = ${statement};
     SET idle_in_transaction_session_timeout = ${statement}; SET client_connection_check_interval = 2000;
     SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
     SET default_transaction_read_only = ${readonly ? 'on' : 'off'}; SET plan_cache_mode = force_generic_plan;
     SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
  );
}

/** Read anew for each connection: it may have been changed meanwhile. */
function passwordOf({ address, passwordFile }: ConnectOptions): string {
  if (passwordFile === undefined) return address.password ?? '';
  try {
    const { mode, size } = statSync(passwordFile);
    if ((mode & 0o077) !== 0) throw new SandgateError('store.password-mode', { file: passwordFile });
    if (size > MOST_PASSWORD_BYTES)
      throw new SandgateError('file.too-large', { file: passwordFile, most: '4 KiB' });
    return readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof SandgateError) throw error;
    throw new SandgateError('store.password-file', { file: passwordFile }, { cause: error });
  }
}

function tlsOf({ tls, ca, host, shown }: PostgresAddress) {
  if (tls === 'disable') return false;
  const name = isIP(host) === 0 ? { servername: host } : {};
  if (tls === 'require') return { rejectUnauthorized: false, ...name };
  try {
    return { rejectUnauthorized: true, ...name, ...(ca === undefined ? {} : { ca: readFileSync(ca) }) };
  } catch (cause) {
    throw new SandgateError(
      'store.unusable',
      { path: shown, why: `the authorities in ${ca} cannot be read` },
      { cause },
    );
  }
}
