/** Logs that the bank gives no usable answers: a warning at once, then one a minute at most, with the count between. */
import type { Fault } from '../../exchange/index.js';
import type { SystemParts } from '../system/system-parts.js';

const INTERVAL_MS = 60_000;
/** Of others than the bank: of clients, and of a gateway that stops. */
const NOT_OF_BANK: ReadonlySet<Fault['kind']> = new Set(['client-gone', 'internal']);

export function createBankLog({ log, clock }: Pick<SystemParts, 'log' | 'clock'>): (fault: Fault) => void {
  let told = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return ({ kind, message: cause }) => {
    if (NOT_OF_BANK.has(kind)) return;
    const now = clock();
    if (now - told < INTERVAL_MS) {
      untold++;
      return;
    }
    log.warn({ cause, failedBefore: untold }, 'A call got no usable answer from the bank.');
    told = now;
    untold = 0;
  };
}
