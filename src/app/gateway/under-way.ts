/** Calls that were sent to a bank and may still end. */
import { timeOfId } from '../../exchange/index.js';
import type { Lookup } from '../../store/index.js';
import type { Config } from '../config/config.js';

export interface UnderWayParts {
  readonly config: Config;
  /** Calls of this process. */
  readonly underWay: ReadonlySet<string>;
  readonly isShared: boolean;
  /** Epoch ms. */
  readonly clock: () => number;
}

/** What a look-up finds, without calls that may still end; those of other gateways may for as long as a call without a stream lasts. */
export function withoutUnderWay(
  lookup: () => Lookup,
  { config, underWay, isShared, clock }: UnderWayParts,
): Omit<Lookup, 'close'> {
  const { queue, whole } = config.upstreamLimits;
  const isLate = (id: string): boolean => (timeOfId(id) ?? 0) + queue + whole <= clock();
  /** Of several gateways none knows what is under way at another one. */
  const hasNoEnd = (id: string): boolean => !underWay.has(id) && (!isShared || isLate(id));
  return {
    search: async (session, tree, options) => {
      const found = await lookup().search(session, tree, options);
      if (found.unfinished.length === 0) return found;
      const hidden = new Set(found.unfinished.filter((id) => !hasNoEnd(id)));
      return { ...found, exchanges: found.exchanges.filter((id) => !hidden.has(id)) };
    },
    unfinished: async (session) => (await lookup().unfinished(session)).filter(hasNoEnd),
  };
}
