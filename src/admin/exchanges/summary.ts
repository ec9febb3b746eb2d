/** An exchange as a list shows it: one line, without its bodies. */
import * as z from 'zod';
import { namedResources } from '../../exchange/index.js';
import type { Lookup, RecordedExchange, Store } from '../../store/index.js';
import { count, named, type Shown } from '../api/schemas.js';
import { brief, briefOf } from './brief.js';
import type { MendParts } from './mend.js';

const resource = z.object({ kind: z.enum(['consent', 'payment']), id: z.string() });

export const summary = named(
  'ExchangeSummary',
  brief.extend({
    resources: z
      .array(resource)
      .describe(
        'The consents or payments to whose journeys it belongs: the one that it names, and that of its token where a read that failed names another.',
      ),
  }),
);

export const list = named(
  'ExchangeList',
  z.object({
    exchanges: z.array(summary).describe('The newest first.'),
    examined: count.describe('How many were read.'),
    indexedUpTo: z
      .string()
      .nullable()
      .describe('Everything up to this exchange is found by the index; what is newer is searched.'),
    behind: count
      .nullable()
      .describe('How many exchanges the index does not know yet; null where there is no index.'),
    next: z.string().nullable().describe('`before` of the next page; null at the beginning of the session.'),
  }),
);

export type Summary = Shown<typeof summary>;
export type ExchangeList = Shown<typeof list>;

export function summarise(record: RecordedExchange): Summary {
  // Not a spread, which makes an object of a slower kind: this is done for each exchange.
  return Object.assign(briefOf(record), { resources: [...namedResources(record.exchange)] });
}

export interface ExchangesPort {
  readonly store: Pick<Store, 'sessions' | 'read' | 'find'>;
  readonly search: Lookup['search'];
  readonly session: () => string;
  /** Facts by which mends of a TPP's calls are found. */
  readonly mending: (session: string, tpp: string | null) => Omit<MendParts, 'lastGood'>;
}
