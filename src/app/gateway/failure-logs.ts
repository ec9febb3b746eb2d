/** Logs what fails again and again, the bank or the store: at once, then one line a minute at most, with a count. */
import type { Fault } from '../../exchange/index.js';
import type { SandgateError } from '../../spec/index.js';
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

const DOWN = 'Nothing can be recorded, so calls are answered 503 and none is forwarded.';
const UP = 'Exchanges are recorded again.';

export function createStoreLog({ log, timer }: Pick<SystemParts, 'log' | 'timer'>, onTurn = (): void => {}) {
  let down: string | null = null;
  let unrecorded = 0;
  /** What was logged since the interval began; null where none runs. */
  let logged: Set<string> | null = null;
  let last = UP;
  let cancel = (): void => {};

  const tell = (text: string, write: () => void): void => {
    if (logged === null) {
      logged = new Set();
      cancel = timer.after(INTERVAL_MS, endInterval);
    }
    if (logged.has(text)) return;
    logged.add(text);
    last = text;
    write();
    unrecorded = 0;
  };
  const endInterval = (): void => {
    logged = null;
    if (down !== null) tell(down, () => log.error({ cause: down, unrecorded }, `Still: ${DOWN}`));
    else if (unrecorded > 0 || last !== UP) tell(UP, () => log.warn({ unrecorded }, UP));
  };

  return {
    onDown: ({ message }: SandgateError): void => {
      down = message;
      tell(message, () => log.error({ cause: message }, DOWN));
      onTurn();
    },
    onUp: (): void => {
      down = null;
      tell(UP, () => log.warn({ unrecorded }, UP));
      onTurn();
    },
    /** A call, or what came of one, could not be recorded. */
    onUnrecorded: (): void => {
      unrecorded += 1;
    },
    close: (): void => cancel(),
  };
}
