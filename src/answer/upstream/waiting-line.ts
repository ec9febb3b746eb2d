/** Limits how many calls go to the bank at one time, and how many wait. */
import type { ClientSignal } from '../answerer.js';
import type { UpstreamLimits } from './limits.js';

/** `entered` holds a place until `leave`; all others hold none. */
export type Entry = 'entered' | 'full' | 'late' | 'gone' | 'closed';

export function createWaitingLine(limits: Pick<UpstreamLimits, 'concurrency' | 'queued' | 'queueMs'>) {
  let taken = 0;
  let closed = false;
  // A Set keeps the order of arrival, and lets one in the middle go away cheaply.
  const waiting = new Set<(entry: Entry) => void>();

  function wait(signal: ClientSignal): Entry | Promise<Entry> {
    if (signal.aborted) return 'gone';
    return new Promise((resolve) => {
      const onAbort = () => settle('gone');
      const timer = setTimeout(() => settle('late'), limits.queueMs);
      const settle = (entry: Entry) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waiting.delete(settle);
        resolve(entry);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.add(settle);
    });
  }

  return {
    /** At once where there is a place, or no room to wait. */
    enter: (context: { readonly signal: ClientSignal }): Entry | Promise<Entry> => {
      if (closed) return 'closed';
      if (taken < limits.concurrency) {
        taken++;
        return 'entered';
      }
      return waiting.size < limits.queued ? wait(context.signal) : 'full';
    },
    leave: (): void => {
      const [next] = waiting;
      if (next === undefined) taken--;
      else next('entered');
    },
    /** Turns away all that wait. */
    close: (): void => {
      closed = true;
      for (const settle of [...waiting]) settle('closed');
    },
    taken: () => taken,
    waiting: () => waiting.size,
  };
}
