/** Logs a failing store: one line per cause and interval, with a count. */
import type { SandgateError } from '../../spec/index.js';
import type { SystemParts } from '../system/system-parts.js';

export interface StoreLog {
  readonly onDown: (fault: SandgateError) => void;
  readonly onUp: () => void;
  /** A call, or what came of one, could not be recorded. */
  readonly onUnrecorded: () => void;
  readonly close: () => void;
}

const INTERVAL_MS = 60_000;
const DOWN = 'Nothing can be recorded, so calls are answered 503 and none is forwarded.';
const UP = 'Exchanges are recorded again.';

export function createStoreLog({ log, timer }: Pick<SystemParts, 'log' | 'timer'>): StoreLog {
  let down: string | null = null;
  let unrecorded = 0;
  /** What was told since the interval began; null where none runs. */
  let told: Set<string> | null = null;
  let last = UP;
  let cancel = (): void => {};

  const tell = (text: string, write: () => void): void => {
    if (told === null) {
      told = new Set();
      cancel = timer.after(INTERVAL_MS, endInterval);
    }
    if (told.has(text)) return;
    told.add(text);
    last = text;
    write();
    unrecorded = 0;
  };
  const endInterval = (): void => {
    told = null;
    if (down !== null) tell(down, () => log.error({ cause: down, unrecorded }, `Still: ${DOWN}`));
    else if (unrecorded > 0 || last !== UP) tell(UP, () => log.warn({ unrecorded }, UP));
  };

  return {
    onDown: ({ message }) => {
      down = message;
      tell(message, () => log.error({ cause: message }, DOWN));
    },
    onUp: () => {
      down = null;
      tell(UP, () => log.warn({ unrecorded }, UP));
    },
    onUnrecorded: () => {
      unrecorded += 1;
    },
    close: () => cancel(),
  };
}
