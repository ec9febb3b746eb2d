/** The connections for reading of one gateway: by who waits for them, and for how long. */
import { readAddress } from './address.js';
import type { ConnectOptions } from './client.js';
import { createPool, type Era, type Pool } from './pool.js';
import { createReplica } from './replica.js';

export interface Pools {
  readonly main: Pool;
  /** For what calls wait for. */
  readonly near: Pool;
  /** For reading sessions. */
  readonly pool: Pool;
}

export interface PoolsOptions {
  /** To the store, in all; at least two. */
  readonly connections: number;
  /** The address of a replica, to which there are as many. */
  readonly readFrom?: string | undefined;
}

const FOR_CALLS = 2;
/** In ms: what goes along whole sessions may take that long. */
const LEISURE_MS = 300_000;

export function createPools(
  { connections, readFrom }: PoolsOptions,
  options: ConnectOptions,
  era: Era,
): Pools {
  const { limits } = options;
  const atLeisure = { ...options, limits: { ...limits, statement: Math.max(limits.statement, LEISURE_MS) } };
  const forCalls = Math.min(FOR_CALLS, Math.max(1, connections - 1));
  const near = createPool(options, forCalls, era);
  const main = createPool(atLeisure, Math.max(1, connections - forCalls), era);
  if (readFrom === undefined) return { main, near, pool: main };
  const replica = createPool({ ...atLeisure, address: readAddress(readFrom), readonly: true }, connections);
  return { main, near, pool: createReplica(replica, main, near) };
}

export const closePools = ({ main, near, pool }: Pools): Promise<unknown> =>
  Promise.all([main, near, pool].map((one) => one.close()));
