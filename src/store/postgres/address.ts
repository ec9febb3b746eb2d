/** Parses the address of a PostgreSQL store, and shows it. */
import { SandgateError } from '../../spec/index.js';
import { storeName } from '../store-name.js';

const SCHEMES: ReadonlySet<string> = new Set(['postgres:', 'postgresql:']);
const TLS_MODES = ['disable', 'require', 'verify-full'] as const;
const DEFAULT_PORT = 5432;
/** A name that PostgreSQL does not cut, and that needs no escape in quotes. */
const SCHEMA = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;
const KNOWN: ReadonlySet<string> = new Set(['schema', 'sslmode', 'sslrootcert']);

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** undefined if the address has none. */
  readonly password: string | undefined;
  readonly database: string;
  readonly schema: string;
  readonly tls: (typeof TLS_MODES)[number];
  /** File with the authorities (PEM) that are trusted for the server, in place of those of Node. */
  readonly ca: string | undefined;
  /** To be shown and logged: without password. */
  readonly shown: string;
}

/** Whether it is one, sound or not. */
export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:/i.test(address);

/**
 * `postgres://USER@HOST:PORT/DATABASE?schema=NAME&sslmode=MODE&sslrootcert=FILE`.
 * @throws SandgateError of kind `usage`
 */
export function readAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !SCHEMES.has(url.protocol)) throw wrong(address, 'it is no URL');
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw wrong(address, `“${unknown}” is not known in it`);
  const host = url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  const schema = url.searchParams.get('schema') ?? 'sandgate';
  if (!SCHEMA.test(schema)) throw wrong(address, `“${schema}” is not the name of a schema`);
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map((part) =>
    decoded(address, part),
  ) as [string, string, string];
  if (user === '' || database === '') throw wrong(address, 'it must name a user and a database');
  return {
    host,
    port: Number(url.port || DEFAULT_PORT),
    user,
    database,
    schema,
    password: password === '' ? undefined : password,
    tls: tlsOf(address, url.searchParams.get('sslmode'), host),
    ca: url.searchParams.get('sslrootcert') ?? undefined,
    shown: storeName(address),
  };
}

/** Beyond this machine a server must show who it is, where nothing else is said. */
function tlsOf(address: string, mode: string | null, host: string): PostgresAddress['tls'] {
  if (mode === null) return isThisMachine(host) ? 'disable' : 'verify-full';
  const known = TLS_MODES.find((one) => one === mode);
  if (known === undefined) throw wrong(address, `sslmode is one of ${TLS_MODES.join(', ')}`);
  return known;
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127\.[0-9.]+|::1)$/.test(host);

function decoded(address: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(address, 'a part of it is not encoded as URLs are');
  }
}

const wrong = (address: string, why: string): SandgateError =>
  new SandgateError('store.server-address', { address: storeName(address), why });
