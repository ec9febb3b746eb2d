/** Delays answers as recorded. */
import type { ClientSignal } from '../answerer.js';

export interface Delay {
  /** The value, so many ms later; at once where the client is gone, or the gateway stops. */
  readonly later: <T>(value: T, ms: number, signal: ClientSignal) => T | Promise<T>;
  readonly close: () => void;
}

export interface Timer {
  readonly after: (ms: number, run: () => void) => () => void;
}

/** A file may say anything; no client waits for longer. */
const LONGEST_MS = 300_000;

export function createDelay(timer: Timer): Delay {
  const waiting = new Set<() => void>();
  let isClosed = false;
  return {
    later: (value, ms, signal) => {
      if (!(ms >= 1) || isClosed || signal.aborted) return value;
      return new Promise((resolve) => {
        const finish = () => {
          cancel();
          waiting.delete(finish);
          signal.removeEventListener('abort', finish);
          resolve(value);
        };
        const cancel = timer.after(Math.min(ms, LONGEST_MS), finish);
        waiting.add(finish);
        signal.addEventListener('abort', finish, { once: true });
      });
    },
    close: () => {
      isClosed = true;
      for (const finish of [...waiting]) finish();
    },
  };
}
