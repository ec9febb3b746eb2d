/** What the processes of `serve --workers` say to each other. */
import cluster from 'node:cluster';
import type { Config } from '../app/config/index.js';
import type { HandedCalls } from './calls/hand-on-calls.js';

/** To a worker. */
export type ToWorker =
  /** All of them are ready: the first one says so. */
  | { readonly kind: 'announce' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'metrics-wanted'; readonly ask: number }
  | { readonly kind: 'metrics-told'; readonly all: readonly (readonly object[])[] };

export type FromWorker =
  /** `admin`: where the listener for operators is, of the first of them. */
  | { readonly kind: 'ready'; readonly admin: string }
  | ({ readonly kind: 'calls' } & HandedCalls)
  /** Its own are asked of all others. */
  | { readonly kind: 'metrics-asked' }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: readonly object[] };

/** In the environment of a worker: which one it is. */
export const LANE_VARIABLE = 'GATEWAY_LANE';

/** Of this process; null where it is none of several. */
export function laneOf(env: Readonly<Record<string, string | undefined>>): number | null {
  const lane = env[LANE_VARIABLE];
  return cluster.isWorker && lane !== undefined ? Number(lane) : null;
}

/** In the environment of a worker that takes the place of the first one: the port of its admin listener. */
export const ADMIN_PORT_VARIABLE = 'GATEWAY_ADMIN_PORT';

/** Where any port would do, it is the one that operators know. */
export function withAdminPort(
  config: Config,
  { [ADMIN_PORT_VARIABLE]: port }: Readonly<Record<string, string | undefined>>,
): Config {
  return port === undefined
    ? config
    : { ...config, adminListen: { ...config.adminListen, port: Number(port) } };
}
