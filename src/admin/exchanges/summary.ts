/** An exchange as a list shows it: one line, without its bodies. */
import * as z from 'zod';
import type { Fingerprint } from '../../exchange/index.js';
import type { Ledger } from '../../ledger/index.js';
import { resourceOf } from '../../report/index.js';
import type { Lookup, RecordedExchange, Store } from '../../store/index.js';
import { count, named, type Shown } from '../api/schemas.js';
import { brief, briefOf } from './brief.js';
import type { MendParts } from './mend.js';

const resource = z
  .object({ kind: z.enum(['consent', 'payment']), id: z.string() })
  .describe('The consent or payment that it is about.');

export const summary = named('ExchangeSummary', brief.extend({ resource: resource.nullable() }));

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

export function summarise(
  record: RecordedExchange,
  { ledgerOf, fingerprint }: Pick<ExchangesPort, 'ledgerOf' | 'fingerprint'>,
): Summary {
  const ledger = ledgerOf(record.exchange.call.session);
  // Not a spread, which makes an object of a slower kind: this is done for each exchange.
  return Object.assign(briefOf(record), { resource: resourceOf({ record, ledger }, fingerprint) });
}

export interface ExchangesPort {
  readonly store: Pick<Store, 'sessions' | 'read' | 'find'>;
  readonly search: Lookup['search'];
  readonly session: () => string;
  readonly ledgerOf: (session: string) => Ledger;
  readonly fingerprint: Fingerprint;
  /** Facts by which mends of a TPP's calls are found. */
  readonly mending: (session: string, tpp: string | null) => Omit<MendParts, 'lastGood'>;
}
