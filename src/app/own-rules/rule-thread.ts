/** A thread that runs own rules within limits of time and memory; one that hangs is ended, and another one started. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Said, SeenExchange } from '../../rules/own/index.js';
import { OWN_RULES_THREAD } from '../built.js';
import { type Asked, AT, type FromThread, RUNNING, SAID } from './rule-thread-messages.js';

/** In ms: to load the files, for all rules on one call, and to wait while the thread is busy with another call. */
export const THREAD_LIMITS = { start: 10_000, call: 1_000, busy: 100 } as const;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 } as const;

type Answers = readonly (Said | null)[];

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array;
  isReady: boolean;
}

interface Waiting {
  readonly rules: readonly number[];
  readonly done: (answers: Answers) => void;
  timer: NodeJS.Timeout;
}

export type RuleThread = ReturnType<typeof openRuleThread>;

/**
 * `isLive`: calls are answered here, so nothing may wait. Else what is asked is waited for, because nothing else is to be done.
 * `onEnd`: the thread ended, and another one could not be started.
 */
export function openRuleThread(
  urls: readonly string[],
  isLive: boolean,
  onEnd: () => void = () => {},
  limits: Readonly<Record<keyof typeof THREAD_LIMITS, number>> = THREAD_LIMITS,
) {
  let last = 0;
  let isEnded = false;
  const waiting = new Map<number, Waiting>();
  let running = start();
  const loaded = waitFor(running, limits.start);
  if (isLive) listen(running);

  function start(): Running {
    const shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(OWN_RULES_THREAD, {
      ...{ workerData: { urls, port: port2, shared }, transferList: [port2], resourceLimits: MEMORY },
      ...{ execArgv: [], env: {}, stdout: true, stderr: true },
    });
    // An error ends the thread, which is looked at below; what a rule prints is nobody's.
    worker.on('error', () => {});
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    port.unref();
    return { worker, port, signal: new Int32Array(shared), isReady: false };
  }

  function listen(one: Running): void {
    one.port.on('message', (message: FromThread) => {
      if (message.kind === 'ready') one.isReady = true;
      else if (message.kind === 'said') settle(message.id, message.said);
      else giveUp();
    });
    one.port.unref();
    one.worker.once('exit', () => {
      if (one === running && !isEnded)
        endBy(waiting.keys().next().value, 'it ended the thread that it ran in');
    });
  }

  function settle(id: number, answers: Answers): void {
    const one = waiting.get(id);
    waiting.delete(id);
    clearTimeout(one?.timer);
    one?.done(answers);
  }

  /** The rule that is at work answers for it; whatever waits behind it is not looked at. */
  function endBy(id: number | undefined, why: string): void {
    const { signal } = running;
    const rule = id === Atomics.load(signal, AT) ? Atomics.load(signal, RUNNING) : null;
    replace();
    for (const [other, { rules }] of waiting)
      settle(other, other === id ? blame(rules, rule, why) : nobody(rules));
  }

  function replace(): void {
    end(running);
    try {
      const next = start();
      running = next;
      if (!isLive) return;
      listen(next);
      setTimeout(() => next === running && !next.isReady && giveUp(), limits.start).unref();
    } catch {
      // No thread can be had: a limit of processes, say.
      giveUp();
    }
  }

  function end({ port, worker }: Running): void {
    port.close();
    void worker.terminate();
  }

  function close(): void {
    isEnded = true;
    for (const [id, { rules }] of waiting) settle(id, nobody(rules));
    end(running);
  }

  function giveUp(): void {
    if (isEnded) return;
    close();
    onEnd();
  }

  const late = `it gave no verdict within ${limits.call} ms`;

  /** A call waits for its own rules, and hardly for those of others. */
  function onBusy(id: number, one: Waiting): void {
    if (Atomics.load(running.signal, AT) === id)
      one.timer = setTimeout(() => endBy(id, late), limits.call - limits.busy);
    else settle(id, nobody(one.rules));
  }

  function post(rules: readonly number[], seen: SeenExchange): number {
    last += 1;
    running.port.postMessage({ id: last, rules, seen } satisfies Asked);
    return last;
  }

  return {
    /** The first message of the thread, about its files; null: there was none in time. */
    loaded,
    /** Holds up everything else. */
    askNow: (rule: number, seen: SeenExchange): Said => {
      if (!running.isReady && waitFor(running, limits.start)?.kind !== 'ready')
        return { broken: 'its file could not be loaded again' };
      post([rule], seen);
      const message = waitFor(running, limits.call);
      if (message?.kind === 'said' && message.said[0] !== undefined) return message.said[0];
      replace();
      return { broken: late };
    },
    /** Resolves in time, whatever the rules do; null for a rule that was not looked at. */
    askSoon: (rules: readonly number[], seen: SeenExchange): Promise<Answers> =>
      new Promise((done) => {
        if (isEnded) return done(nobody(rules));
        const id = post(rules, seen);
        const one: Waiting = { rules, done, timer: setTimeout(() => onBusy(id, one), limits.busy) };
        waiting.set(id, one);
      }),
    close,
  };
}

const nobody = (rules: readonly number[]): Answers => rules.map(() => null);

const blame = (rules: readonly number[], culprit: number | null, why: string): Answers =>
  rules.map((rule) => (rule === culprit ? { broken: why } : null));

function waitFor(running: Running, ms: number): FromThread | null {
  const { port, signal } = running;
  const end = performance.now() + ms;
  for (;;) {
    const said = Atomics.load(signal, SAID);
    const received: { readonly message: FromThread } | undefined = receiveMessageOnPort(port);
    if (received !== undefined) {
      if (received.message.kind === 'ready') running.isReady = true;
      return received.message;
    }
    const left = end - performance.now();
    if (left <= 0) return null;
    Atomics.wait(signal, SAID, said, left);
  }
}
