/** Sends one item after the other to somebody who may hang: within limits of time and memory, again after a pause, never forever. */

import { pause, type Timer } from '../answer/index.js';

/** `again`: worth another try, after so many ms at least where the other side says it. */
export type Sent = 'done' | 'never' | { readonly again: number };

export interface DeliveryParts<T> {
  /** Rejects where nobody answers. */
  readonly send: (item: T, signal: AbortSignal) => Promise<Sent>;
  readonly timer: Timer;
  /** Before each further try, in ms. */
  readonly pauses: readonly number[];
  /** One try takes so many ms at most. */
  readonly timeout: number;
  readonly weightOf: (item: T) => number;
  /** So much may wait; what comes then is dropped. */
  readonly most: number;
  /** `why`: what kept it back; null where it arrived. */
  readonly onEnd: (item: T, why: string | null) => void;
}

const LONGEST_PAUSE = 60_000;
const NO_ROOM = 'too much is waiting';
const STOPPED = 'the gateway stopped';

export function createDelivery<T>({ send, timer, pauses, timeout, weightOf, most, onEnd }: DeliveryParts<T>) {
  const waiting: T[] = [];
  let weight = 0;
  let working: Promise<void> | null = null;
  const closing = new AbortController();
  const over = new AbortController();

  async function attempt(item: T): Promise<{ readonly sent: Sent; readonly why: string }> {
    const limit = new AbortController();
    const cancel = timer.after(timeout, () => limit.abort());
    try {
      const sent = await send(item, AbortSignal.any([limit.signal, over.signal]));
      return { sent, why: 'it was refused' };
    } catch (error) {
      const why = limit.signal.aborted ? `no answer within ${timeout} ms` : (error as Error).message;
      return { sent: { again: 0 }, why };
    } finally {
      cancel();
    }
  }

  async function deliver(item: T): Promise<string | null> {
    for (let tries = 0; ; tries++) {
      if (over.signal.aborted) return STOPPED;
      const { sent, why } = await attempt(item);
      if (sent === 'done') return null;
      const ms = pauses[tries];
      // Once the gateway stops, each has one more try.
      if (sent === 'never' || ms === undefined || closing.signal.aborted) return why;
      await pause(timer, Math.min(Math.max(ms, sent.again), LONGEST_PAUSE), closing.signal);
    }
  }

  async function work(): Promise<void> {
    for (let item = waiting[0]; item !== undefined; item = waiting[0]) {
      const why = await deliver(item);
      waiting.shift();
      weight -= weightOf(item);
      onEnd(item, why);
    }
    working = null;
  }

  return {
    hasRoom: (): boolean => weight < most && !closing.signal.aborted,
    add: (item: T): void => {
      if (weight >= most) {
        onEnd(item, NO_ROOM);
        return;
      }
      waiting.push(item);
      weight += weightOf(item);
      working ??= work();
    },
    /** Sends what is waiting, for so many ms. */
    close: async (within: number): Promise<void> => {
      closing.abort();
      const cancel = timer.after(within, () => over.abort());
      while (working !== null) await working;
      cancel();
    },
  };
}
