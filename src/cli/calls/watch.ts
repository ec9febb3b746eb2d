/** The common parts of following calls: streams, notes beside the calls, and a pause. */
import { setTimeout as timeout } from 'node:timers/promises';
import type { Brief } from '../../admin/exchanges/index.js';
import type { FilterTree } from '../../store/index.js';

export interface Watch {
  readonly session: string | undefined;
  readonly where: FilterTree;
  readonly lines: number;
  readonly signal: AbortSignal;
  /** False: nobody reads on. */
  readonly show: (call: Brief, page: string | null) => Promise<boolean>;
  readonly say: (text: string) => void;
}

/** Ends early, and without error, when the command is to end. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timeout(ms, undefined, { signal }).catch(() => undefined);
}
