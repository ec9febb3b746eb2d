/** What a load saw of its answers, told as one JSON line; lines before it say when measuring begins and ends. */
export interface Seen {
  /** `ms`: how long the answer took. */
  readonly take: (status: string, ms: number) => void;
  /** Measures for so long and until enough was answered, lets `stop` end what is under way, and tells. */
  readonly tell: (seconds: number, stop: () => Promise<unknown>) => Promise<void>;
}

/** Of fewer, nothing can be told: a moment may pass with hardly any, on a busy machine even a second. */
const leastOf = (seconds: number): number => Math.min(500, seconds * 1_000);

export function createSeen(): Seen {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let calls = 0;
  let measuring = false;
  let begin = (): void => {};
  const first = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    take: (status, ms) => {
      calls++;
      begin();
      if (!measuring) return;
      latencies.push(ms);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    tell: async (seconds, stop) => {
      // Warm: what is compiled late must not be measured, nor how long connections are made.
      await first;
      await wait(Math.min(1_500, seconds * 300));
      measuring = true;
      process.stdout.write('begun\n');
      const begun = performance.now();
      await wait(seconds * 1_000);
      while (latencies.length < leastOf(seconds)) await wait(1);
      measuring = false;
      const elapsed = performance.now() - begun;
      process.stdout.write('ended\n');
      await stop();
      latencies.sort((a, b) => a - b);
      const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
      const perSecond = (latencies.length / elapsed) * 1_000;
      const told = { perSecond, p50: at(0.5), p99: at(0.99), answered: latencies.length, calls, statuses };
      process.stdout.write(`${JSON.stringify(told)}\n`);
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
