/** `serve --workers N`: starts the processes that answer calls, starts one again that ends, and ends with all of them. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../app/config/index.js';
import { openGroup } from '../app/gateway/index.js';
import type { SystemParts } from '../app/system/index.js';
import type { CallTeller } from './calls/tell-calls.js';
import type { CliContext } from './context.js';
import { type FromWorker, type ToWorker, workerEnvironment } from './worker.js';

/** One that ends soon after its start is started again after so many ms, so that it does not keep the machine busy. */
const PAUSE_MS = 1_000;
/** The time for a busy process to give its metrics, in ms. */
const METRICS_MS = 1_000;

interface Asked {
  readonly from: Worker;
  readonly told: (readonly object[])[];
  left: number;
  readonly cancel: () => void;
}

/** Resolves when all have ended; rejects where the store or a listener cannot be opened. */
export async function serveGroup(
  config: Config,
  system: SystemParts,
  { signal, exitWith }: CliContext,
  onProgress: (text: string) => void,
  teller: CallTeller,
): Promise<void> {
  const release = await openGroup(config, system, onProgress);
  const workers = new Map<number, Worker>();
  const ready = new Set<number>();
  const asked = new Map<number, Asked>();
  let asks = 0;
  let isAnnounced = false;
  let admin: string | null = null;
  /** What a worker said last is heard before its channel closes, and maybe after its end. */
  const channels = new Set<Promise<void>>();
  let ended = (): void => {};
  const allEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });

  const tell = (worker: Worker | undefined, message: ToWorker): void => {
    if (worker?.isConnected() === true) worker.send(message);
  };

  function answer(ask: number): void {
    const one = asked.get(ask);
    if (one === undefined) return;
    asked.delete(ask);
    one.cancel();
    tell(one.from, { kind: 'metrics-told', all: one.told });
  }

  function collect(from: Worker): void {
    const ask = ++asks;
    const others = [...workers.values()].filter((worker) => worker !== from);
    const cancel = system.timer.after(METRICS_MS, () => answer(ask));
    asked.set(ask, { from, told: [], left: others.length, cancel });
    for (const other of others) tell(other, { kind: 'metrics-wanted', ask });
  }

  function knowAdmin(address: string): void {
    if (admin !== null && admin !== address)
      system.log.error(
        { was: admin, is: address },
        'The admin port was not free when the first worker was started again: the admin listener is elsewhere.',
      );
    admin = address;
    for (const worker of workers.values()) tell(worker, { kind: 'admin', admin });
  }

  function hear(slot: number, worker: Worker, message: FromWorker): void {
    if (message.kind === 'metrics-asked') collect(worker);
    else if (message.kind === 'reloaded') reload(worker);
    else if (message.kind === 'metrics') {
      const one = asked.get(message.ask);
      if (one === undefined) return;
      one.told.push(message.metrics);
      if (--one.left === 0) answer(message.ask);
    } else if (message.kind === 'calls') {
      if (message.missing > 0) teller.lose(message.missing);
      for (const call of message.calls) teller.tell(() => call, admin);
    } else {
      if (slot === 0) knowAdmin(message.admin);
      else if (admin !== null) tell(worker, { kind: 'admin', admin });
      ready.add(slot);
      if (isAnnounced || ready.size < config.workers) return;
      isAnnounced = true;
      tell(workers.get(0), { kind: 'announce' });
    }
  }

  function start(slot: number): void {
    const worker = cluster.fork(workerEnvironment(slot, admin));
    const since = system.stopwatch();
    keepHandedConnections(worker, () => ready.size > (ready.has(slot) ? 1 : 0));
    workers.set(slot, worker);
    worker.on('message', (message: FromWorker) => hear(slot, worker, message));
    const channel = new Promise<void>((closed) => worker.once('disconnect', closed));
    channels.add(channel);
    void channel.then(() => channels.delete(channel));
    worker.once('exit', (code, by) => {
      workers.delete(slot);
      const wasReady = ready.delete(slot);
      if (signal.aborted) return workers.size === 0 ? ended() : undefined;
      // A fault that keeps one worker from its first start keeps all: the worker has said it.
      if (!isAnnounced && !wasReady) return fail(code ?? 1);
      system.log.error(
        { worker: slot, exitStatus: code, signal: by },
        'A worker ended and is started again.',
      );
      const early = system.stopwatch() - since < PAUSE_MS;
      if (early) system.timer.after(PAUSE_MS, () => startAgain(slot));
      else startAgain(slot);
    });
  }

  const startAgain = (slot: number): void => {
    if (!signal.aborted) start(slot);
  };

  function stop(): void {
    for (const [slot, worker] of workers) {
      if (ready.has(slot)) tell(worker, { kind: 'stop' });
      // One that is just starting does not hear yet.
      else worker.process.kill('SIGTERM');
    }
    if (workers.size === 0) ended();
  }

  function fail(code: number): void {
    exitWith(code);
    for (const worker of workers.values()) {
      worker.removeAllListeners('exit');
      worker.process.kill('SIGKILL');
    }
    ended();
  }

  function reload(done?: Worker): void {
    for (const worker of workers.values()) if (worker !== done) tell(worker, { kind: 'reload' });
  }
  const reloadAll = (): void => reload();
  process.on('SIGHUP', reloadAll);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) for (let slot = 0; slot < config.workers; slot++) start(slot);
    else ended();
    await allEnded;
    await Promise.all(channels);
  } finally {
    process.off('SIGHUP', reloadAll);
    signal.removeEventListener('abort', stop);
    await teller.close();
    await release();
  }
}

/** What Node's cluster sends a worker with a connection; `ack` is the same number in what the worker says of it. */
interface Handing {
  readonly act?: string;
  readonly seq?: number;
}
interface Handle {
  readonly close: () => void;
}

/** `isAnyLeft`: whether another one takes connections; where none does, they are closed. */
function keepHandedConnections(worker: Worker, isAnyLeft: () => boolean): void {
  const { process: child } = worker;
  const handed = new Map<number, Handle>();
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (message: Handing, handle?: unknown, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) handed.set(message.seq, handle as Handle);
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  // It has ended, and all that it said was heard.
  child.once('close', () => {
    child.emit('disconnect');
    for (const [seq, handle] of [...handed])
      if (isAnyLeft()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
  });
}
