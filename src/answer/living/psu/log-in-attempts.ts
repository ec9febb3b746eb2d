/** Wrong passwords on the access page: a few in a while, so that nobody finds one out by trying. */
export interface LogInAttempts {
  /** Milliseconds until this PSU of a bank may try again; 0: now. */
  readonly waits: (bank: object, psu: string, now: number) => number;
  /** The id of the call, because a call that is answered twice is one attempt. */
  readonly failed: (bank: object, psu: string, call: string, now: number) => void;
}

const MOST = 5;
const WITHIN_MS = 10 * 60_000;
/** A limit for each bank. Beyond it, the PSUs with the oldest last attempt are forgotten. */
const MOST_PSUS = 1_000;

type Failed = Map<string, number>;

/** In memory: a start of the gateway forgets them, and each gateway counts its own. */
export function createLogInAttempts(): LogInAttempts {
  const banks = new WeakMap<object, Map<string, Failed>>();

  // Attempts from the future, after a clock was set back, do not count.
  const recent = (bank: object, psu: string, now: number): Failed => {
    const all = banks.get(bank)?.get(psu) ?? [];
    return new Map([...all].filter(([, at]) => at > now - WITHIN_MS && at < now + WITHIN_MS));
  };

  return {
    waits: (bank, psu, now) => {
      const times = [...recent(bank, psu, now).values()];
      return times.length < MOST ? 0 : Math.min(...times) + WITHIN_MS - now;
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
