/** Logs what fails again and again at the bank: a warning at once, then one a minute at most, with the count between. */
import type { Fault } from '../../exchange/index.js';
import type { SystemParts } from '../system/system-parts.js';

const INTERVAL_MS = 60_000;
/** Of others than the bank: of clients, and of a gateway that stops. */
const NOT_OF_BANK: ReadonlySet<Fault['kind']> = new Set(['client-gone', 'internal']);

/** `warning` says what fails, the cause of each time why. */
export function createFailureLog(
  { log, clock }: Pick<SystemParts, 'log' | 'clock'>,
  warning: string,
): (cause: string) => void {
  let told = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (cause) => {
    const now = clock();
    if (now - told < INTERVAL_MS) {
      untold++;
      return;
    }
    log.warn({ cause, failedBefore: untold }, warning);
    told = now;
    untold = 0;
  };
}

export function createBankLog(parts: Pick<SystemParts, 'log' | 'clock'>): (fault: Fault) => void {
  const warn = createFailureLog(parts, 'A call got no usable answer from the bank.');
  return ({ kind, message }) => {
    if (!NOT_OF_BANK.has(kind)) warn(message);
  };
}
