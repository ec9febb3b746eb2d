/** The port behind which sessions, exchanges, verdicts and facts are kept. */
import type { FactChange, StoredLayer, WorldStep } from '../bank/index.js';
import type { SessionNote, StepNote } from '../exchange/index.js';
import type { AuthorizeFact } from '../ledger/index.js';
import { SandgateError } from '../spec/index.js';
import type { ChainBreak } from './chain.js';
import type { ChainNote, Removed, Retained } from './chain-notes.js';
import type { FilterTree } from './filter/tree.js';
import type { EvidenceNote, RecordedExchange } from './recorded.js';
import type { Caught, Dependency, NewHeader, Placed, Serving, WorldState } from './world-state.js';

export interface SessionInfo {
  readonly name: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** Calls without end do not count. */
  readonly exchanges: number;
  /** Link of its newest exchange, hex; empty where it has none. */
  readonly head: string;
  /** Entries of its chain so far: exchanges, beginnings and notes, removed ones too. */
  readonly entries: number;
  /** Link of the last entry, hex. */
  readonly end: string;
  /** The ends of its chains, in the order in which they began: one for each gateway that records in a shared store. */
  readonly chains: readonly ChainHead[];
  /** Settings of the gateway and their changes, in order. */
  readonly notes: readonly SessionNote[];
}

export interface ChainHead {
  /** Id of the store, and of its writer where it has several: no other chain of the session has it. */
  readonly store: string;
  /** Entries so far, removed ones too: the place of the last one. */
  readonly entries: number;
  /** Link of the last entry, hex. */
  readonly head: string;
}

/** A chain of a session: one sequence of exchanges and notes, of all or of those that one gateway recorded. */
export interface ChainInfo extends ChainHead {
  /**
   * `gateway` or `file` (it was imported), as the record of its beginning says; null where there is no such record.
   */
  readonly origin: 'gateway' | 'file' | null;
  /** null where nothing was. */
  readonly removed: Removed | null;
}

/** An entry that is sound by its link, as verifying comes along it. */
export interface VerifiedLink {
  /** Id of its chain, see `ChainHead`. */
  readonly store: string;
  readonly seq: number;
  /** Orders it among entries of other chains; absent in a store with one chain a session. */
  readonly turn?: number;
  /** Hex. */
  readonly link: string;
  /** null where it is a note. */
  readonly exchange: string | null;
  /** It is the beginning of that exchange, and not its end. */
  readonly isBegun: boolean;
  /** Its kind; null where it is none. */
  readonly note: string | null;
  /** The note by which its content was erased; absent where it was not. */
  readonly erasedBy?: { readonly store: string; readonly seq: number };
}

export interface VerifyOptions {
  readonly onLink?: (link: VerifiedLink) => void;
}

export interface FindOptions {
  /** For who needs no bodies: a long one is not read, and its text is empty. */
  readonly isBrief?: boolean;
}

export interface ReadOptions extends FindOptions {
  /** Only exchanges that were recorded after the one with this id, or after its beginning where it has no end. */
  readonly after?: string;
  /** From the newest one back; then `after` is where to go on from towards the oldest. */
  readonly backwards?: true;
  /** No more are looked at, whether they match or not. */
  readonly limit?: number;
  /** Only exchanges that match. */
  readonly where?: FilterTree | undefined;
  /** Called with each exchange that does not match, in the order of reading. */
  readonly onPassed?: ((exchange: string) => void) | undefined;
  /** Called with each exchange that cannot be read, which is passed over; without it a SandgateError ends reading. */
  readonly onUnreadable?: (exchange: string) => void;
}

/** A step of the world of a session, and the entries in front of one of which it stands: whichever of them is read first. */
export interface PlacedStep {
  readonly note: StepNote;
  /** Ids of exchanges and beginnings; none where nothing was recorded behind it. */
  readonly before: readonly string[];
  /** Another session notes the step: it stands in front of the first entry that arrived then, epoch ms. */
  readonly since?: number;
}

export interface UnfinishedOptions extends FindOptions {
  /** Only these exchanges, whether they ended or not. */
  readonly ids?: readonly string[];
  /** Only those with a greater id. */
  readonly since?: string;
  readonly onUnreadable?: (exchange: string) => void;
}

export interface NotedSession {
  readonly session: string;
  readonly note: SessionNote | EvidenceNote;
  /** Only where the session is still this one, and was not removed meanwhile; see `Unsigned`. */
  readonly of?: number;
  /** So many of the batch stand in front of it; none where absent, or as many as in front of the note before. */
  readonly behind?: { readonly begun?: number; readonly records: number };
}

/** Entries that this process has added to a session's chain and nobody has signed. */
export interface Unsigned {
  readonly session: string;
  /** Tells it from another one that got its name after it was removed. */
  readonly of: number;
  /** Id of the store. */
  readonly store: string;
  /** Runs of places, first and last, in order: between them others wrote. */
  readonly runs: readonly (readonly [from: number, to: number])[];
  /** `orderBehind` of all entries of the runs, where entries of several chains are ordered by turns. */
  readonly order?: string;
  /** Link of the last entry of the last run, hex. */
  readonly head: string;
}

/** The world of calls that name no session. */
export const COMMON_WORLD = '';

/** A change in a world; without a name, the common one. */
export type KeptChange = ((FactChange & Placed) | WorldStep) & { readonly world?: string };

export interface Batch {
  /** In the order of what is behind which. */
  readonly notes?: readonly NotedSession[];
  /** Exchanges that are about to be sent on: links of the chain of their own, which their records follow later. */
  readonly begun?: readonly RecordedExchange[];
  readonly records: readonly RecordedExchange[];
  /** Changes in order; of several for one key the last counts. */
  readonly changes: readonly KeptChange[];
  /** Expected versions of worlds that others may write to. Each world with changes, steps or a header is among them. */
  readonly dependsOn?: readonly Dependency[];
  /** In the place of what worlds had. */
  readonly headers?: readonly NewHeader[];
}

export interface RemoveOptions {
  /** Only the oldest exchanges, up to the first one with this id or a greater one; the chain notes what was removed. */
  readonly before: string;
  /** Time of that note, epoch ms. */
  readonly at: number;
  /** No more exchanges than about so many. */
  readonly most?: number;
  /** The cause, as the note gives it. */
  readonly by?: Retained;
}

/** Exchanges that came to a store. */
export interface Arrived {
  readonly records: readonly RecordedExchange[];
  /** Sessions were noted something: a mark, say. */
  readonly hasNotes: boolean;
  /** The driver's own: to be handed back to it. */
  readonly position: unknown;
  /** There is more at once. */
  readonly isMore: boolean;
}

export interface Owner {
  readonly world: string;
  readonly home: string;
  /** Versions of the home and of the steps of the world, as in `WorldState`: a gateway that knows both is up to date. */
  readonly version: number;
  readonly steps: number;
}

/** The most that `awaited` gives. */
export const MOST_AWAITED = 500;

export interface AwaitedRequest {
  readonly world: string;
  readonly fact: AuthorizeFact;
}

/** Now, or later. What is there at once is not awaited: no call waits a turn for nothing. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on as soon as the value is there; in the same turn where it is there already. */
export function after<T, R>(value: Awaitable<T>, then: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** Drawn with `for await`, whether they are there at once or come later. */
export type Rows<T> = IterableIterator<T> | AsyncIterableIterator<T>;

/** Another process is writing: a moment later it may be done. */
export class StoreBusy extends SandgateError<'store.busy'> {
  constructor(path: string, why: string, cause: unknown) {
    super('store.busy', { path, why }, { cause });
    this.name = 'StoreBusy';
  }
}

/** The store was lost in the middle of a batch, and did not come back in time to tell whether it was kept. */
export class StoreUncertain extends SandgateError<'store.uncertain'> {
  /** Why it does not come back. */
  readonly lost: SandgateError;

  constructor(path: string, lost: SandgateError) {
    super('store.uncertain', { path }, { cause: lost });
    this.name = 'StoreUncertain';
    this.lost = lost;
  }
}

/** Calls of all sessions. */
export interface StoredCalls {
  /** The greatest id of an exchange that is not above `most`; null where there is none. New ids go on from it. */
  newest(most?: string): Awaitable<string | null>;
  /**
   * What was begun and is not recorded as ended: it is under way, or its process ended first. With ids the records of
   * the beginning of these, ended or not. In the order of their beginning.
   */
  unfinished(session: string, options?: UnfinishedOptions): Awaitable<RecordedExchange[]>;
  /**
   * What others than this process recorded behind a position, in any session: each exchange once, those of one process in
   * their order, some hundred at a time; what cannot be read is passed over. Without a position none, and that of now.
   */
  arrived(position?: unknown): Awaitable<Arrived>;
}

/** The chains of sessions, by which it shows that what was recorded is as it was. */
export interface StoredChains {
  /** The chains of a session, in the order in which they began; none where there is no such session. */
  of(session: string): Awaitable<readonly ChainInfo[]>;
  /** Notes of the chains themselves, in the order of recording; of one kind if it is given. */
  notes(session: string, kind?: ChainNote['kind']): Awaitable<ChainNote[]>;
  /** The places of the steps of a session's world among its entries, in the order of recording. */
  steps(session: string): Awaitable<readonly PlacedStep[]>;
  /** Link of an exchange, hex; null where it is not there. */
  linkOf(exchangeId: string): Awaitable<string | null>;
  /** Breaks of a session's chain, found one by one. Never throws, whatever the store holds. */
  verify(session: string, options?: VerifyOptions): Rows<ChainBreak>;
  /** The same, with turns in between for others. */
  verifyInTurns(session: string): AsyncIterable<ChainBreak>;
  /** The same for an exchange alone: its own link, and that of the entry after it. */
  verifyLink(exchangeId: string): Awaitable<ChainBreak[]>;
  /**
   * What this process recorded since it was asked last, of the sessions in which that is `least` entries or more;
   * checkpoints and time stamps do not count. Nothing comes twice.
   */
  takeUnsigned(least: number): Unsigned[];
}

/** The state of worlds, and changes by other gateways on the store. */
export interface StoredWorlds {
  /**
   * What is known of a world, in the order in which its layers began: the last is what it is now. None where nothing
   * ever was. Their facts are to be read before anything is written.
   */
  layers(world: string): Awaitable<readonly StoredLayer[]>;
  /** The long body of a payment of a world, by its TPP and id (`BankBody`), whichever layer has it; null where none does. */
  body(world: string, tpp: string, payment: string): Awaitable<object | null>;
  /** How far it was moved on. To be asked before `layers` is: what these have besides comes once more with `catchUp`. */
  state(world: string): Awaitable<WorldState>;
  /** How far a world as a whole was moved on (`WorldState`), 0 where nobody knows it: all that was kept before it was asked. */
  epoch(world: string): Awaitable<number>;
  /** Another one as soon as this process notices that others wrote to a world; costs next to nothing. */
  stamp(world: string): unknown;
  /**
   * What others changed. Of the partitions that are named (`StoreMoved` says which) all comes that was kept before it
   * was asked, and with a tag what has it; of others what is at hand.
   */
  catchUp(world: string, known: WorldState, partitions?: readonly string[]): Awaitable<Caught>;
  /** The world and home of an authorisation, by its id, with their versions; null if nobody began it. */
  ownerOf(authorisation: string): Awaitable<Owner | null>;
  /** The names of worlds that may know an authorisation by its id. */
  knowing(authorisation: string): Awaitable<readonly string[]>;
  /** Authorization requests whose end is awaited, in any world; the newest first, no more than some hundred. */
  awaited(): Awaitable<readonly AwaitedRequest[]>;
  /** Removes facts that no world and no snapshot needs any more, in small steps, each a commit: yields how many. */
  tidy(): Rows<number>;
}

/** The file of a store, and whether it can be written to. */
export interface StorePlace {
  /** Its path; null: it lies in memory, or on a server. */
  readonly file: string | null;
  /** Throws what `append` would throw now. `written`: by writing; else only whether the files are still there. */
  check(written: boolean): Awaitable<void>;
  /** Bytes in use; what removals have freed does not count. */
  size(): Awaitable<number>;
}

/** Says what is to be erased. */
export interface ErasePlan {
  /** Whether the content of an exchange goes, with that of its beginning. */
  readonly ofRecord: (record: RecordedExchange) => boolean;
  /** Whether a note, a fact or a partition goes, by its text. */
  readonly ofText: (text: string) => boolean;
}

export interface ErasedStep {
  readonly exchanges: number;
  readonly notes: number;
}

/** Erases what somebody asks to have forgotten; gateways may be recording meanwhile. */
export interface StoredErasures {
  /**
   * The content of exchanges and notes of a session; the chain notes it, at a time in epoch ms. Goes in small steps, each a
   * commit; what was interrupted goes with the next erasure, and is noted once.
   */
  contents(session: string, plan: ErasePlan, at: number): Rows<ErasedStep>;
  /** Facts of all worlds, which gateways load anew then; gives how many. `isDry`: they are only counted. */
  facts(isOf: ErasePlan['ofText'], isDry?: boolean): Awaitable<number>;
  /** Whether the gateway on the store, if there is one, has forgotten what was erased. */
  isHeard(): Awaitable<boolean>;
  /** Frees what was deleted, and overwrites it where the store can do that; else why it is not overwritten yet. */
  clean(): Awaitable<null | 'busy' | 'served' | 'server'>;
}

export interface Store {
  /** Secret of this store for fingerprints; 32 bytes, made with the store and kept apart from it. */
  readonly fingerprintKey: Uint8Array;
  readonly calls: StoredCalls;
  readonly chains: StoredChains;
  readonly worlds: StoredWorlds;
  readonly place: StorePlace;
  readonly erasures: StoredErasures;
  /**
   * All of a batch or nothing; when it returns, or what it returns resolves, the batch survives the end of this process
   * (kill -9). The next batch is given when this one is kept, or is not. With nothing in it, it is written all the same.
   * Throws a StoreBusy where another process writes, and may be done a moment later; a StoreMoved where something that
   * it depends on has moved: then nothing of it is kept; a StoreUncertain where that is not known, all of it or nothing.
   */
  append(batch: Batch): Awaitable<void>;
  /** In the order in which they began. */
  sessions(): Awaitable<SessionInfo[]>;
  /** In the order of recording; streams, so that a large session never lies in memory. None where there is no session. */
  read(session: string, options?: ReadOptions): Rows<RecordedExchange>;
  find(exchangeId: string, options?: FindOptions): Awaitable<RecordedExchange | null>;
  /**
   * This process answers calls on the store from now on, until it closes it. `slot`: as one of a group on this machine,
   * which has no other member with this slot; without it, alone where only one process can serve. Throws a SandgateError
   * where another one does. `onErased`: another process erased facts; all worlds are to be loaded anew before it resolves.
   */
  serve(slot?: number, onErased?: () => Promise<void>): Awaitable<Serving>;
  /** With the world of its name, where all of it goes. Goes in small steps, each a commit: yields how many exchanges it removed. Ends only when it is drawn to its end. */
  remove(session: string, options?: RemoveOptions): Rows<number>;
  /** May be called twice. */
  close(): Awaitable<void>;
}

/** Keeps a note alone. */
export function noteIn(store: Pick<LocalStore, 'append'>, session: string, note: NotedSession['note']): void;
export function noteIn(
  store: Pick<Store, 'append'>,
  session: string,
  note: NotedSession['note'],
): Awaitable<void>;
export function noteIn(store: Pick<Store, 'append'>, session: string, note: NotedSession['note']) {
  return store.append({ notes: [{ session, note }], records: [], changes: [] });
}

/** A store whose values are there at once, as the drivers of this machine make it: nothing above them relies on that. */
export type LocalStore = AtOnce<Store>;

/** With its groups. */
type AtOnce<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => infer R
    ? (...given: A) => Exclude<R, Promise<unknown> | AsyncIterableIterator<unknown>>
    : T[K] extends StoredCalls | StoredChains | StoredWorlds | StorePlace | StoredErasures
      ? AtOnce<T[K]>
      : T[K];
};
