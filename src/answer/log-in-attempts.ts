/** Wrong passwords on the access page, and of TPPs that send them: a few in a while, so that nobody finds one out by trying. */
import type { Call } from '../exchange/index.js';
import { counted } from '../spec/index.js';

export interface LogInAttempts {
  /** Milliseconds until this PSU of a bank may try again; 0: now. A call that is answered again does not count itself. */
  readonly waits: (bank: object, psu: string, now: number, call?: string) => number;
  /** The id of the call, because a call that is answered twice is one attempt. */
  readonly failed: (bank: object, psu: string, call: string, now: number) => void;
}

const MINUTE_MS = 60_000;
const WITHIN_MS = 10 * MINUTE_MS;
/** A limit for each bank. Beyond it, the PSUs with the oldest last attempt are forgotten. */
const MOST_PSUS = 1_000;

type Failed = Map<string, number>;

/** In memory: a start of the gateway forgets them, and each gateway counts its own. */
export function createLogInAttempts(most: number): LogInAttempts {
  const banks = new WeakMap<object, Map<string, Failed>>();

  // Attempts from the future, after a clock was set back, do not count.
  const recent = (bank: object, psu: string, now: number): Failed => {
    const all = banks.get(bank)?.get(psu) ?? [];
    return new Map([...all].filter(([, at]) => at > now - WITHIN_MS && at < now + WITHIN_MS));
  };

  return {
    waits: (bank, psu, now, call = '') => {
      const failed = recent(bank, psu, now);
      failed.delete(call);
      const times = [...failed.values()];
      return times.length < most ? 0 : Math.min(...times) + WITHIN_MS - now;
    },
    failed: (bank, psu, call, now) => {
      const psus = banks.get(bank) ?? new Map<string, Failed>();
      banks.set(bank, psus);
      const failed = recent(bank, psu, now).set(call, now);
      psus.delete(psu);
      psus.set(psu, failed);
      const [oldest] = psus.keys();
      if (psus.size > MOST_PSUS && oldest !== undefined) psus.delete(oldest);
    },
  };
}

export const TOO_MANY_PASSWORDS = 'There were too many wrong passwords.';
export const tryAgain = (ms: number): string =>
  `Try again in ${counted(Math.ceil(ms / MINUTE_MS), 'minute')}.`;

/** Wrong passwords that this TPP has sent for a PSU, whichever authorisation they were for (reading `sca-attempts`). */
export interface PasswordAttempts {
  readonly waits: (psu: string) => number;
  readonly failed: (psu: string) => void;
}

export function attemptsOf(all: LogInAttempts, bank: object, call: Call, now: number): PasswordAttempts {
  const keyOf = (psu: string) => JSON.stringify([call.tpp, psu]);
  return {
    waits: (psu) => all.waits(bank, keyOf(psu), now, call.id),
    failed: (psu) => all.failed(bank, keyOf(psu), call.id, now),
  };
}
