/**
 * Notes where what is looked at belongs. Only where gateways share a store: there a call rests on all that it looked at.
 */
import type { LedgerFamily, Looks } from '../ledger/index.js';
import type { BankFamily } from './facts.js';
import { homeOf, homeOfNone, partitionsUnder } from './places.js';

/** Told of the partitions that are looked at, while somebody wants to know. */
export interface Reads {
  into: Set<string> | null;
}

export function looksAt(reads: Reads, family: LedgerFamily | BankFamily): Looks {
  return {
    at: (key, fact) => {
      const { into } = reads;
      if (into === null) return;
      // What is not there may come to be there without the TPP that looked.
      const home = fact === undefined ? homeOfNone(family, key) : homeOf(family, key, fact);
      if (home !== null) into.add(home);
    },
    under: (name, facts) => {
      const { into } = reads;
      if (into === null) return;
      for (const partition of partitionsUnder(family, name)) into.add(partition);
      for (const fact of facts) into.add(homeOf(family, name, fact));
    },
  };
}
