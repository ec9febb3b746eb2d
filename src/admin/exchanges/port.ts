/** What of a gateway's recordings the API may read. */
import type { Fingerprint } from '../../exchange/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { Lookup, Store } from '../../store/index.js';

export interface ExchangesPort {
  readonly store: Pick<Store, 'sessions' | 'read' | 'find'>;
  readonly search: Lookup['search'];
  /** The session that is recorded into by calls that name none. */
  readonly session: () => string;
  /** What is known in the world of a session. */
  readonly ledgerOf: (session: string) => Ledger;
  readonly fingerprint: Fingerprint;
}
