/** How often faults have met what fits them: exactly, among all gateways of a store. */
import { type BankChange, type BankFault, createDraws, type World } from '../bank/index.js';
import type { FaultRow } from './fault.js';

export interface CountingParts {
  readonly seed: number;
  /** Counts a use among all gateways; false where another one was faster. */
  readonly remember: (world: World, changes: readonly BankChange[]) => Promise<boolean>;
}

/** A fault in force, as it is counted. */
interface Counting {
  readonly row: FaultRow;
  /** Uses are counted under it, so that a fault that is set again begins anew. */
  readonly run: string;
  readonly isCounted: boolean;
}

/** How a fault takes a call that fits, and what of that is to be kept. */
export interface Counted {
  readonly meets: boolean;
  /** How many calls had fitted before. */
  readonly nth: number;
  readonly changes: readonly BankChange[];
}

/** If the store fails, or others are always faster, the fault meets nothing. */
const MOST_TRIES = 20;

export function createCounting({ seed, remember }: CountingParts) {
  const draws = (id: string, nth: number): (() => number) => {
    const next = createDraws(seed, nth, ...Buffer.from(id));
    return () => next() / 0x1_0000_0000;
  };

  function count(world: World, { row, run, isCounted }: Counting): Counted {
    if (!isCounted) return { meets: true, nth: 0, changes: [] };
    const held = world.bank.bankFaults.get(row.id);
    const { seen, times } = held?.run === run ? held : { seen: 0, times: 0 };
    const isOver = times >= (row.count ?? Number.POSITIVE_INFINITY);
    const meets = !isOver && seen >= row.after && draws(row.id, seen)() < row.share;
    // A fault that is used up writes nothing more.
    if (isOver) return { meets, nth: seen, changes: [] };
    const fact: BankFault = { run, seen: seen + 1, times: times + (meets ? 1 : 0) };
    return { meets, nth: seen, changes: [{ family: 'bankFaults', key: row.id, fact }] };
  }

  /** Gives how many calls had fitted before; null where this one is let pass. */
  async function claim(world: World, fault: Counting): Promise<number | null> {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const { meets, nth, changes } = count(world, fault);
      if (changes.length === 0 || (await remember(world, changes))) return meets ? nth : null;
    }
    return null;
  }

  return { count, claim, draws };
}
