/**
 * Load of several TPPs on several gateways, in a process of its own; writes what it saw as one JSON line. Its argument
 * is a `GatewaysLoad` in JSON.
 */
import { randomUUID } from 'node:crypto';
import { createSeen } from './seen.js';
import { openClients } from './soak-clients.js';
import { createMix } from './soak-mix.js';

export interface GatewaysLoad {
  readonly ports: readonly number[];
  readonly certs: string;
  /** Names of certificates. */
  readonly tpps: readonly string[];
  /** Whether all calls of a TPP go to one gateway, or to all of them. */
  readonly spread: 'by-tpp' | 'over-all';
  readonly seconds: number;
  readonly connections: number;
}

const load = JSON.parse(process.argv[2] ?? '') as GatewaysLoad;
const seen = createSeen();
const pairs = load.tpps.flatMap((tpp, i) =>
  load.spread === 'by-tpp'
    ? [{ tpp, port: load.ports[i % load.ports.length] as number }]
    : load.ports.map((port) => ({ tpp, port })),
);
const clients = pairs.map(({ tpp, port }) =>
  openClients({
    ...{ port, tpp, certs: load.certs, mix: createMix(randomUUID), spread: 100, onAnswer: seen.take },
    connections: Math.max(1, Math.round(load.connections / pairs.length)),
  }),
);
await seen.tell(load.seconds, () => Promise.all(clients.map((one) => one.stop())));
