/** Logs what fails again and again, the bank or the store: at once, then one line a minute at most, with a count. */
import type { Fault, Unrecorded } from '../../exchange/index.js';
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

type Hole = Omit<Unrecorded, 'calls'> & { calls: number; to: string };

/** `note` is given what a session lacks. Once the store works again it is written, and only then is it known that the store does. */
export function createStoreLog(
  { log, timer, clock }: Pick<SystemParts, 'log' | 'timer' | 'clock'>,
  onTurn = (): void => {},
  note: (session: string, unrecorded: Unrecorded) => void = () => {},
) {
  /** By session: not noted yet, and all since the start. */
  let holes = new Map<string, Hole>();
  const all = new Map<string, Hole>();
  /** Notes were given to the store, which has kept nothing since. */
  let isTrying = false;
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
  const back = (): void => {
    down = null;
    tell(UP, () => log.warn({ unrecorded }, UP));
  };
  const noteHoles = (): void => {
    isTrying = true;
    const noted = holes;
    holes = new Map();
    for (const [session, hole] of noted) note(session, hole);
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
      if (holes.size === 0 && !isTrying) back();
      else if (!isTrying) noteHoles();
      onTurn();
    },
    /** Something was kept. */
    onKept: (): void => {
      if (!isTrying) return;
      isTrying = false;
      if (holes.size > 0) noteHoles();
      else back();
    },
    /** A call, or what came of one, could not be recorded. `session`: that of a call. */
    onUnrecorded: (session?: string): void => {
      unrecorded += 1;
      if (session === undefined) return;
      const at = new Date(clock()).toISOString();
      for (const counts of [holes, all]) {
        const hole = counts.get(session) ?? { calls: 0, from: at, to: at };
        counts.set(session, hole);
        hole.calls++;
        hole.to = at;
      }
    },
    /** Calls of a session that this gateway could not record since it started. */
    unrecordedIn: (session: string): Unrecorded | null => all.get(session) ?? null,
    close: (): void => cancel(),
  };
}
