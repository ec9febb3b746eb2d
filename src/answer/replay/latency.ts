/** Delays answers as recorded. */
import type { ClientSignal, Timer } from '../answerer.js';

/** A file may say anything; no client waits for longer. */
const LONGEST_MS = 300_000;

export function createDelay(timer: Timer) {
  const waiting = new Set<() => void>();
  let isClosed = false;
  return {
    /** The value, so many ms later; at once where the client is gone, or the gateway stops. */
    later: <T>(value: T, ms: number, signal: ClientSignal): T | Promise<T> => {
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
    close: (): void => {
      isClosed = true;
      for (const finish of [...waiting]) finish();
    },
  };
}
