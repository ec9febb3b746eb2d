/** What the processes of `serve --workers` say to each other. */
import cluster from 'node:cluster';
import type { Config } from '../app/config/index.js';
import { portError } from '../app/system/index.js';
import type { HandedCalls } from './calls/hand-on-calls.js';

export type ToWorker =
  /** All of them are ready: the first one says so. */
  | { readonly kind: 'announce' }
  | { readonly kind: 'stop' }
  /** Where the listener for operators is, of the first of them. */
  | { readonly kind: 'admin'; readonly admin: string }
  | { readonly kind: 'reload' }
  | { readonly kind: 'metrics-wanted'; readonly ask: number }
  | { readonly kind: 'metrics-told'; readonly all: readonly (readonly object[])[] };

export type FromWorker =
  /** `admin`: where the listener for operators is, of the first of them. */
  | { readonly kind: 'ready'; readonly admin: string }
  | ({ readonly kind: 'calls' } & HandedCalls)
  | { readonly kind: 'metrics-asked' }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: readonly object[] };

const LANE_VARIABLE = 'GATEWAY_LANE';
const ADMIN_PORT_VARIABLE = 'GATEWAY_ADMIN_PORT';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of a worker: which one it is, and where the listener for operators was, as far as known. Overrides what anybody set. */
export function workerEnvironment(lane: number, admin: string | null): Record<string, string> {
  return {
    [LANE_VARIABLE]: String(lane),
    [ADMIN_PORT_VARIABLE]: admin === null ? '' : new URL(admin).port,
  };
}

export function laneOf(env: Environment): number | null {
  const lane = env[LANE_VARIABLE];
  return cluster.isWorker && lane !== undefined ? Number(lane) : null;
}

/** Of the first worker, where any port would do, it is the one that operators know, unless that was taken meanwhile. */
export async function withAdminPort(config: Config, lane: number, env: Environment): Promise<Config> {
  const { adminListen } = config;
  const port = Number(env[ADMIN_PORT_VARIABLE]);
  if (lane > 0 || adminListen.port !== 0 || port === 0) return config;
  const known = { ...adminListen, port };
  return (await portError(known)) === null ? { ...config, adminListen: known } : config;
}
