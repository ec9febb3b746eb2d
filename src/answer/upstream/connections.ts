/** Connections to the bank: kept alive, and never shared between client certificates. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { Credential } from './credentials.js';
import type { UpstreamLimits } from './limits.js';
import type { BankRequest } from './open-request.js';

interface Shelf {
  readonly credential: Credential;
  readonly connector: buildConnector.connector;
  readonly idle: Connection[];
  retired: boolean;
}

/**
 * One undici client, which is one connection at a time. Not undici's own pool: that cannot tell which connection a
 * call is on, and when a call is aborted it makes a new connection at once, for nobody.
 */
export class Connection {
  readonly #client: Client;
  readonly #shelf: Shelf;
  readonly #all: Set<Connection>;
  #fresh = false;

  constructor(client: Client, shelf: Shelf, all: Set<Connection>) {
    this.#client = client;
    this.#shelf = shelf;
    this.#all = all;
    all.add(this);
    client.on('connect', () => {
      this.#fresh = true;
    });
    // An event of this name without listener would end the process; undici's types do not know it.
    const emitter: EventEmitter = client;
    emitter.on('error', () => this.drop());
  }

  send(request: BankRequest, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler);
  }

  takeFresh(): boolean {
    const fresh = this.#fresh;
    this.#fresh = false;
    return fresh;
  }

  release(): void {
    if (this.#shelf.retired) void this.drop();
    else this.#shelf.idle.push(this);
  }

  /** Ends it; what is on it fails with the error. */
  drop(error?: Error): Promise<void> {
    this.#all.delete(this);
    return this.#client.destroy(error ?? null);
  }
}

export function createConnections(origin: string, limits: UpstreamLimits) {
  const shelves = new Map<string, Shelf>();
  const all = new Set<Connection>();

  function shelfOf(credential: Credential): Shelf {
    const known = shelves.get(credential.name);
    if (known?.credential === credential) return known;
    if (known !== undefined) retire(known);
    const connector = createConnector(credential, limits);
    const shelf = { credential, connector, idle: [], retired: false };
    shelves.set(credential.name, shelf);
    return shelf;
  }

  return {
    /** One that is free, or a new one; `anew`: a new one. Give it back by `release` or `drop`. */
    take: (credential: Credential, anew: boolean): Connection => {
      const shelf = shelfOf(credential);
      const kept = anew ? undefined : shelf.idle.pop();
      return kept ?? new Connection(openClient(origin, shelf, limits), shelf, all);
    },
    close: async (): Promise<void> => {
      for (const shelf of shelves.values()) retire(shelf);
      await Promise.all([...all].map((connection) => connection.drop()));
    },
  };
}

/** Its free connections end now, the others when they are released. */
function retire(shelf: Shelf): void {
  shelf.retired = true;
  for (const connection of shelf.idle.splice(0)) void connection.drop();
}

function openClient(origin: string, { connector }: Shelf, limits: UpstreamLimits): Client {
  return new Client(origin, {
    connect: connector,
    pipelining: 1,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headBytes,
    keepAliveTimeout: limits.keepAliveMs,
  });
}

/** Keeps TLS sessions for all connections of the certificate. */
function createConnector({ context }: Credential, limits: UpstreamLimits): buildConnector.connector {
  const connect = buildConnector({
    secureContext: context,
    rejectUnauthorized: true,
    timeout: limits.connectMs,
  });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      skipContinue(socket);
      callback(null, socket);
    });
}

const STATUS = Buffer.from('HTTP/1.1 100');
const END = '\r\n\r\n';
const LONGEST_HEAD = 8_192;

/**
 * Takes "100 Continue" out of what the bank sends: banks may send it unasked (RFC 9110 15.2), and undici treats it as an
 * error. Other 1xx pass undici well.
 */
function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let held: Buffer | null = null;
  /** The bytes written when the last piece of an answer was read: more than that means a new request. */
  let answeredAt = -1;

  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || socket.bytesWritten === answeredAt) return chunk;
      const bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
      held = null;
      const rest = withoutContinue(bytes);
      if (rest !== null) {
        answeredAt = socket.bytesWritten;
        return rest;
      }
      if (bytes.length > LONGEST_HEAD) return bytes;
      held = afterContinue(bytes);
    }
  };
}

/** The bytes after any heads of status 100; null where it cannot be told yet what they begin with. */
function withoutContinue(bytes: Buffer): Buffer | null {
  const rest = afterContinue(bytes);
  if (rest.length === 0) return null;
  const compared = Math.min(rest.length, STATUS.length);
  return STATUS.compare(rest, 0, compared, 0, compared) === 0 ? null : rest;
}

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= STATUS.length && STATUS.compare(rest, 0, STATUS.length) === 0) {
    const end = rest.indexOf(END);
    if (end < 0) break;
    rest = rest.subarray(end + END.length);
  }
  return rest;
}
