/** Measures a population of a million PSUs: what it takes to create, and pages over two years of an account. */
import { createPopulation, MOST_PSUS } from '../src/bank/index.js';

export interface PopulationCost {
  readonly createMilliseconds: number;
  readonly createBytes: number;
  /** Of the processor, on average over accounts that nobody asked for before: how many postings, and the newest 100. */
  readonly firstPageMilliseconds: number;
  /** The seventh 100 of the same. */
  readonly seventhPageMilliseconds: number;
  /** Of an account that nobody asked for before. */
  readonly balanceMilliseconds: number;
}

/** 22 November 2026. */
const TODAY = 20_779;
const TWO_YEARS = 730;

export function measurePopulation(accounts: number): PopulationCost {
  const heap = process.memoryUsage().heapUsed;
  const begun = performance.now();
  const population = createPopulation({ seed: 42, count: MOST_PSUS });
  const createMilliseconds = performance.now() - begun;
  const createBytes = Math.max(0, process.memoryUsage().heapUsed - heap);
  /** The first kind of PSUs, whose current account has the most postings. */
  const ids = (from: number) => Array.from({ length: accounts }, (_, i) => `acc-${from + i * 10 + 1}-1`);
  const page = (id: string, offset: number) => {
    population.countPostings(id, TODAY - TWO_YEARS, TODAY);
    population.postingsPage(id, TODAY - TWO_YEARS, TODAY, offset, 100);
  };
  const costs: [number, number] = [0, 0];
  for (const id of ids(100_000)) page(id, 0);
  for (const id of ids(500_000))
    for (const [i, offset] of [0, 600].entries()) costs[i as 0 | 1] += spent(() => page(id, offset));
  const balances = spent(() => {
    for (const id of ids(900_000)) population.balance(id, TODAY);
  });
  return {
    createMilliseconds,
    createBytes,
    firstPageMilliseconds: costs[0] / accounts,
    seventhPageMilliseconds: costs[1] / accounts,
    balanceMilliseconds: balances / accounts,
  };
}

/** Processor time, in ms: what else the machine does meanwhile does not count. */
function spent(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
