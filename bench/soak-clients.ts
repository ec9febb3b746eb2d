/** A thousand clients in one process: each keeps a connection, has one call on its way, and comes back when it is cut off. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { Mix } from './soak-mix.js';

export interface Clients {
  /** Resolves when so many calls have been answered. */
  readonly until: (answered: number) => Promise<void>;
  /** How many so far were answered whole, and are said to be recorded. */
  readonly recorded: () => number;
  /** So far. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly stop: () => Promise<Soaking>;
}

export interface Soaking {
  /** Ids of all exchanges that were answered whole, and are said to be recorded. */
  readonly seen: readonly string[];
  /** Of those the ones that were answered 500: what became of them may not be recorded. */
  readonly unsure: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** Calls whose connection was cut before their answer was whole. */
  readonly broken: number;
}

const LATER_MS = 200;
/** So many connections may be on their way at once: a thousand handshakes in one moment measure nothing but TLS. */
const SPREAD_MS = 2_000;

export function openClients(parts: {
  readonly port: number;
  readonly certs: string;
  readonly connections: number;
  readonly mix: Mix;
  /** Name of the certificate. */
  readonly tpp?: string;
  /** Connections begin within so many ms. */
  readonly spread?: number;
  readonly onAnswer?: (status: string, ms: number) => void;
}): Clients {
  const { port, certs, connections, mix, tpp = 'tpp', spread = SPREAD_MS, onAnswer } = parts;
  const file = (name: string) => readFileSync(join(certs, name));
  const identity = { ca: file('ca.pem'), cert: file(`${tpp}.pem`), key: file(`${tpp}.key`) };
  const seen: string[] = [];
  const unsure: string[] = [];
  const statuses: Record<string, number> = {};
  const open = new Set<ReturnType<typeof connect>>();
  let broken = 0;
  let stopped = false;
  let wanted = { count: Number.POSITIVE_INFINITY, reached: () => {} };

  function take(head: string, body: string): void {
    const status = head.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const id = /\r\nsandgate-exchange: (\w+)/i.exec(head)?.[1];
    if (id !== undefined) seen.push(id);
    if (id !== undefined && status === '500') unsure.push(id);
    if (body.includes('access_token')) mix.learn(body);
    if (seen.length >= wanted.count) wanted.reached();
  }

  function begin(): void {
    if (stopped) return;
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, ...identity });
    let pending = '';
    let isWaiting = false;
    let sent = 0;
    const send = () => {
      isWaiting = true;
      sent = performance.now();
      socket.write(mix.next());
    };
    open.add(socket);
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('secureConnect', send).on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      if (stopped) return;
      if (isWaiting) broken += 1;
      setTimeout(begin, LATER_MS + Math.random() * spread);
    });
    socket.on('data', (chunk: string) => {
      pending += chunk;
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = pending.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      onAnswer?.(head.slice(9, 12), performance.now() - sent);
      take(head, pending.slice(end + 4));
      pending = '';
      isWaiting = false;
      if (stopped || /\r\nconnection: close/i.test(head)) socket.end();
      else send();
    });
  }

  for (let i = 0; i < connections; i++) setTimeout(begin, (i / connections) * spread);
  return {
    statuses,
    recorded: () => seen.length,
    until: (count) =>
      new Promise((resolve) => {
        wanted = { count, reached: resolve };
        if (seen.length >= count) resolve();
      }),
    stop: async () => {
      stopped = true;
      // Calls on their way are answered first.
      while (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      return { seen, unsure, statuses, broken };
    },
  };
}
