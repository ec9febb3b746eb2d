/** Waits until the index of a gateway knows all of a session. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ExchangeList } from '../src/admin/index.js';

const LOOK_MS = 500;

/** Gives how long that took, in s. `admin`: address of its admin listener. */
export async function untilIndexed(admin: string, session: string): Promise<number> {
  const start = performance.now();
  const query = new URLSearchParams({ session, limit: '1' });
  for (;;) {
    const answer = await fetch(`${admin}/api/exchanges?${query}`);
    if (((await answer.json()) as ExchangeList).behind === 0) return (performance.now() - start) / 1_000;
    await pause(LOOK_MS);
  }
}
