/** The parameters for opening a replay. */
import type { Call, Exchange, Fingerprint, Pseudonyms } from '../../exchange/index.js';
import type { Dialect } from '../../spec/index.js';
import type { Timer } from '../answerer.js';
import type { HowToRecord, Miss } from './miss.js';
import type { ReplayOptions } from './options.js';

export interface ReplayParts {
  readonly records: Iterable<{ readonly exchange: Exchange }>;
  readonly name: string;
  readonly options: ReplayOptions;
  /** Origins of the listeners, known once they listen. */
  readonly urls: () => { readonly api: string; readonly psu: string };
  readonly clock: () => number;
  readonly timer: Timer;
  readonly dialect: Dialect;
  /** The interface of the recording; absent: the same. */
  readonly recordedDialect?: Dialect | undefined;
  /** The fingerprint of the store, if the recording is one of its sessions: clear secrets then equal recorded ones. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Pseudonyms of the local store: they give the clear values of a recording made with them. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Another source follows in the chain: it is asked where the recording has nothing. */
  readonly hasNext?: boolean | ((call: Call) => boolean);
  /** By position, the line of the file that a record begins in; absent where the recording is no file of lines. */
  readonly lines?: readonly number[] | undefined;
  /** A sentence for a miss, with the command that records the call. */
  readonly howToRecord: HowToRecord;
  readonly onMiss?: (miss: Miss) => void;
}
