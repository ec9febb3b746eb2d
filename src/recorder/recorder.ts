/** The recorder takes finished exchanges to the store: redacted, and committed with those of the same time. */

import type { Timer } from '../answer/index.js';
import type { Reads } from '../bank/index.js';
import type { Exchange, Fingerprint, Pseudonyms, SessionNote } from '../exchange/index.js';
import type { Judged } from '../rules/index.js';
import type { SandgateError } from '../spec/index.js';
import type {
  Awaitable,
  Batch,
  Dependency,
  KeptChange,
  Moved,
  Store,
  StorePlace,
  WorldHeader,
  WorldState,
} from '../store/index.js';

export interface RecorderParts {
  readonly onDown: (fault: SandgateError) => void;
  readonly onUp: () => void;
  readonly store: Pick<Store, 'append'> & { readonly place: Pick<StorePlace, 'check'> };
  readonly fingerprint: Fingerprint;
  readonly pseudonyms?: Pseudonyms | undefined;
  readonly timer: Timer;
  /** At most this many exchanges wait for the end of a turn; 1,000 by default. */
  readonly maxWaiting?: number;
  /** Fewer exchanges than these in a turn wait for those of the next turn, which begins at once; 0 by default: none do. */
  readonly few?: number | undefined;
  /** `relaxed`: whoever gives an exchange does not wait until it is kept. */
  readonly durability?: 'process' | 'power' | 'relaxed';
  /** Other gateways that write to the same store; absent where there can be none. */
  readonly others?: Others | undefined;
}

export interface Others {
  readonly dependenciesOf: (looked: ReadonlyMap<string, ReadonlySet<string>>) => readonly Dependency[];
  readonly kept: (batch: Batch) => void;
  /**
   * Reads what moved. What it gives applies it at once, where nothing is waiting to be kept or taken back, and tells whether
   * there was any news.
   */
  readonly catchUp: (moved: readonly Moved[]) => Awaitable<() => boolean>;
  /** Forgets what is known of these worlds: the next catching up loads them anew. */
  readonly distrust: (moved: readonly Moved[]) => void;
}

export interface Basis {
  readonly world: string;
  readonly partitions: Iterable<string>;
  readonly header?: WorldHeader;
}

export type Findings = Pick<Judged, 'verdicts' | 'findings'>;

export type Take = (
  exchange: Exchange,
  judged: Findings,
  changes?: readonly KeptChange[],
  onLost?: () => void,
  basis?: Basis,
) => Promise<void>;

export interface Recorder {
  /**
   * Why nothing can be kept now; null where it can. While there is a problem nothing that is given is kept, or tried:
   * it ends by itself, soon after its cause.
   */
  readonly problem: () => SandgateError | null;
  readonly probe: () => Awaitable<SandgateError | null>;
  /**
   * Resolves when the store has kept what it was given with the others of this turn, and be it nothing; rejects where it
   * could not.
   */
  readonly assure: () => Promise<void>;
  /** Like `take`, for an exchange that is about to be forwarded. Later it gets its end. */
  readonly begin: Take;
  /**
   * Resolves when the exchange is in the store, rejects with a SandgateError when it could not be kept. What it is
   * given is redacted at once; nothing clear waits. `onLost` is called before the rejection; of several that are lost
   * together, that of the latest first: what follows from an exchange counts only once it is kept. Rejects with a
   * StoreMoved where another gateway moved on what it depends on, and that is known now: it is to be judged anew, and given
   * again. What depends on nothing is given again here.
   */
  readonly take: Take;
  /** Like `take`, for changes that follow from time alone. */
  readonly remember: (changes: readonly KeptChange[], onLost?: () => void, basis?: Basis) => Promise<void>;
  /**
   * As `take`, for what somebody changes without an exchange: the note says who did what, and is kept with the changes
   * or not at all, in each of the sessions behind what was taken before. Waits until it is kept, whatever others wait for.
   */
  readonly change: (
    sessions: readonly string[],
    note: SessionNote,
    changes: readonly KeptChange[],
    onLost?: () => void,
    basis?: Basis,
  ) => Promise<void>;
  /**
   * What other gateways changed in a world counts from now on, or soon; not while something waits to be kept. With the home
   * of something that is not known here, which it waits for: what waits to be kept meanwhile is judged anew, and one batch
   * at least is written before it happens again, unless nobody gives any for a moment. Where that cannot be read there is
   * a problem then.
   */
  readonly catchUp: (world: string, home?: string) => Awaitable<void>;
  /** Kept with the exchanges of its turn; where these are lost, with the next ones that are kept. */
  readonly note: (session: string, note: SessionNote) => void;
  readonly waiting: () => number;
  readonly drain: () => Promise<void>;
  readonly close: () => void;
}

export interface Known {
  state: Omit<WorldState, 'versions'>;
  readonly versions: Map<string, number>;
  stamp: unknown;
  /** Counts how often others were caught up with. */
  turn: number;
  readonly movedAt: Map<string, number>;
  anewAt: number;
  readonly reads: Reads;
}

export const knownOf = ({ versions, ...state }: WorldState, stamp: unknown, reads: Reads): Known => ({
  state,
  stamp,
  reads,
  turn: 0,
  anewAt: 0,
  versions: new Map(versions),
  movedAt: new Map(),
});

/** Whether others moved on, since a turn, what somebody looked at. */
export function hasMoved({ anewAt, movedAt }: Known, looked: Iterable<string>, since: number): boolean {
  if (anewAt > since) return true;
  for (const partition of looked) if ((movedAt.get(partition) ?? 0) > since) return true;
  return false;
}
