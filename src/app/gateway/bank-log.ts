/** Logs what fails again and again: a warning at once, then one a minute at most, with the count between. */
import type { Fault } from '../../exchange/index.js';
import type { SystemParts } from '../system/system-parts.js';

const INTERVAL_MS = 60_000;
/** Not the bank's: faults of clients, and of a gateway that stops. */
const NOT_OF_BANK: ReadonlySet<Fault['kind']> = new Set(['client-gone', 'internal']);

/** `warning` says what fails, the facts of each time why. */
export function createFailureLog(
  { log, clock }: Pick<SystemParts, 'log' | 'clock'>,
  warning: string,
): (facts: object) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failedBefore = 0;
  return (facts) => {
    const now = clock();
    if (now - loggedAt < INTERVAL_MS) {
      failedBefore++;
      return;
    }
    log.warn({ ...facts, failedBefore }, warning);
    loggedAt = now;
    failedBefore = 0;
  };
}

export function createBankLog(parts: Pick<SystemParts, 'log' | 'clock'>): (fault: Fault) => void {
  const warn = createFailureLog(parts, 'A call got no usable answer from the bank.');
  return ({ kind, message }) => {
    if (!NOT_OF_BANK.has(kind)) warn({ cause: message });
  };
}
