/** A process of `serve --workers`: a gateway that the one that started it tells when to speak and when to stop, and their messages. */

import cluster from 'node:cluster';
import type { Config } from '../app/config/index.js';
import type { Sandgate } from '../app/gateway/index.js';
import { portError } from '../app/system/index.js';
import type { HandedCalls } from './calls/hand-on-calls.js';

export function openWorkerLine(slot: number, stopped: AbortSignal) {
  const stop = new AbortController();
  let waiting: ((all: readonly (readonly object[])[]) => void)[] = [];
  let sandgate: Sandgate | null = null;
  let announce = (): void => {};
  let reload = (): void => {};
  const tell = (message: FromWorker): void => {
    if (process.connected) process.send?.(message);
  };
  const hear = (message: ToWorker): void => {
    if (message.kind === 'announce') announce();
    else if (message.kind === 'stop') stop.abort();
    else if (message.kind === 'reload') reload();
    else if (message.kind === 'admin') sandgate?.knowAdmin(message.admin);
    else if (message.kind === 'metrics-told') {
      const now = waiting;
      waiting = [];
      for (const done of now) done(message.all);
    } else {
      const { ask } = message;
      const asked = sandgate?.metrics() ?? Promise.resolve([]);
      asked.then(
        (metrics) => tell({ kind: 'metrics', ask, metrics }),
        () => tell({ kind: 'metrics', ask, metrics: [] }),
      );
    }
  };
  process.on('message', hear);
  // It does not outlive the one that started it, and that holds its store.
  process.once('disconnect', () => stop.abort());
  return {
    /** Stops as the process does, and with the one that started it. */
    signal: AbortSignal.any([stop.signal, stopped]),
    member: {
      slot,
      reloaded: () => tell({ kind: 'reloaded' }),
      metricsOfOthers: () =>
        new Promise<readonly (readonly object[])[]>((done) => {
          waiting.push(done);
          if (waiting.length === 1) tell({ kind: 'metrics-asked' });
        }),
    },
    /** The gateway runs. `say`: what the first one of all says, once all are ready. */
    started: (running: Sandgate, say: () => void): void => {
      sandgate = running;
      announce = say;
      tell({ kind: 'ready', admin: running.urls.admin });
    },
    reload: (listener: () => void): void => {
      reload = listener;
    },
    /** Resolves when they are on their way to the process that started this one. */
    handOn: (handed: HandedCalls) =>
      new Promise<void>((done) => {
        const message: FromWorker = { kind: 'calls', ...handed };
        if (process.connected) process.send?.(message, undefined, undefined, () => done());
        else done();
      }),
  };
}

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
  /** It was told to read everything again by an operator, and has: the others follow. */
  | { readonly kind: 'reloaded' }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: readonly object[] };

const SLOT_VARIABLE = 'GATEWAY_SLOT';
const ADMIN_PORT_VARIABLE = 'GATEWAY_ADMIN_PORT';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of a worker: which one it is, and where the listener for operators was, as far as known. Overrides what anybody set. */
export function workerEnvironment(slot: number, admin: string | null): Record<string, string> {
  return {
    [SLOT_VARIABLE]: String(slot),
    [ADMIN_PORT_VARIABLE]: admin === null ? '' : new URL(admin).port,
  };
}

export function slotOf(env: Environment): number | null {
  const slot = env[SLOT_VARIABLE];
  return cluster.isWorker && slot !== undefined ? Number(slot) : null;
}

/** Of the first worker, where any port would do, it is the one that operators know, unless that was taken meanwhile. */
export async function withAdminPort(config: Config, slot: number, env: Environment): Promise<Config> {
  const { adminListen } = config;
  const port = Number(env[ADMIN_PORT_VARIABLE]);
  if (slot > 0 || adminListen.port !== 0 || port === 0) return config;
  const known = { ...adminListen, port };
  return (await portError(known)) === null ? { ...config, adminListen: known } : config;
}
