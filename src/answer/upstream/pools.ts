/** Connections to the bank: one pool for each client certificate, a new one when that changes. */
import { buildConnector, Pool } from 'undici';
import type { Credential } from './credentials.js';
import type { UpstreamLimits } from './limits.js';
import { skipContinue } from './skip-continue.js';

export interface BankPool {
  readonly pool: Pool;
  /** Whether a connection was made just now, for the request that starts on it; then it is no longer new. */
  readonly takeFresh: () => boolean;
}

export interface Pools {
  readonly of: (credential: Credential) => BankPool;
  /** Ends all, whatever is on its way. */
  readonly close: () => Promise<void>;
}

interface Kept extends BankPool {
  readonly credential: Credential;
}

export function createPools(origin: string, limits: UpstreamLimits): Pools {
  const current = new Map<string, Kept>();
  const retired = new Set<Pool>();

  function retire({ pool }: Kept): void {
    retired.add(pool);
    void pool.close().then(
      () => retired.delete(pool),
      () => retired.delete(pool),
    );
  }

  return {
    of: (credential) => {
      const kept = current.get(credential.name);
      if (kept?.credential === credential) return kept;
      if (kept !== undefined) retire(kept);
      const made = { credential, ...openPool(origin, credential, limits) };
      current.set(credential.name, made);
      return made;
    },
    close: async () => {
      const pools = [...retired, ...[...current.values()].map(({ pool }) => pool)];
      current.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

/** Without a bound on its connections: calls that wait do so in the waiting line, where they can be counted. */
function openPool(origin: string, { context }: Credential, limits: UpstreamLimits): BankPool {
  const connector = buildConnector({
    secureContext: context,
    rejectUnauthorized: true,
    timeout: limits.connectMs,
  });
  const pool = new Pool(origin, {
    connect: (options, callback) =>
      connector(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        skipContinue(socket);
        callback(null, socket);
      }),
    pipelining: 1,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headBytes,
    keepAliveTimeout: limits.keepAliveMs,
  });
  let fresh = false;
  pool.on('connect', () => {
    fresh = true;
  });
  const takeFresh = () => {
    const was = fresh;
    fresh = false;
    return was;
  };
  return { pool, takeFresh };
}
