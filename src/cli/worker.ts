/** A process of `serve --workers`: a gateway that is told by the one that started it when to speak and when to stop. */
import type { Member, Sandgate } from '../app/gateway/index.js';
import type { HandedCalls } from './calls/hand-on-calls.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

export interface WorkerLine {
  readonly member: Member;
  /** Stops as the process does, and with the one that started it. */
  readonly signal: AbortSignal;
  /** The gateway runs. `announce`: what the first one of all says, once all are ready. */
  readonly started: (sandgate: Sandgate, announce: () => void) => void;
  readonly reload: (listener: () => void) => void;
  /** Resolves when they are on their way to the one that started it. */
  readonly handOn: (handed: HandedCalls) => Promise<void>;
}

export function openWorkerLine(lane: number, stopped: AbortSignal): WorkerLine {
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
    signal: AbortSignal.any([stop.signal, stopped]),
    member: {
      lane,
      metricsOfOthers: () =>
        new Promise((done) => {
          waiting.push(done);
          if (waiting.length === 1) tell({ kind: 'metrics-asked' });
        }),
    },
    started: (running, say) => {
      sandgate = running;
      announce = say;
      tell({ kind: 'ready', admin: running.urls.admin });
    },
    reload: (listener) => {
      reload = listener;
    },
    handOn: (handed) =>
      new Promise((done) => {
        const message: FromWorker = { kind: 'calls', ...handed };
        if (process.connected) process.send?.(message, undefined, undefined, () => done());
        else done();
      }),
  };
}
