/** What the listeners are built from. */
import type { Metrics } from '../../admin/index.js';
import type { Lookup } from '../../store/index.js';
import type { Certificates } from '../certificates/ensure.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import type { Answering } from './answering.js';
import type { Recording } from './recording.js';
import type { TrustSource } from './trust-source.js';

export interface ListenersParts {
  readonly config: Config;
  readonly system: SystemParts;
  readonly recording: Recording;
  readonly answering: Answering;
  readonly trust: TrustSource;
  readonly certificates: Certificates;
  readonly metrics: Metrics;
  readonly urls: () => Urls;
  /** Of the program. */
  readonly version: string;
  readonly lookup: Pick<Lookup, 'search' | 'unfinished'>;
  /** Calls that this process sent to a bank, and that have not ended: kept here by those who answer. */
  readonly underWay: Set<string>;
  /** Whether operators are answered here. */
  readonly hasAdmin: boolean;
}
