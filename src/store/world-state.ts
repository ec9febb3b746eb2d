/** A shared store's state beside the facts, so that each gateway judges by the knowledge of all. */
import type { FactChange, StoredFact } from '../bank/index.js';
import { SandgateError } from '../spec/index.js';

/** The state of a whole world, in JSON: its clock; in the common one also settings and session. */
export type WorldHeader = Readonly<Record<string, unknown>>;

/** The extra fields of a change in a shared store: see `Place`. */
export interface Placed {
  /** The former place of a removed fact. A fact that moves is removed from its former place. */
  readonly home?: string;
  readonly tags?: readonly string[];
}

export interface WorldState {
  /** Moved on by one by each batch that has a header or a step of it. */
  readonly epoch: number;
  /** By those that have a step. */
  readonly steps: number;
  readonly header: WorldHeader;
  /** By partition: moved on by one by each batch with a change that has its home there, or its tag; 0 where absent. */
  readonly versions: ReadonlyMap<string, number>;
  /** The driver's own: handed back to it as it came. */
  readonly cursor?: unknown;
}

/** Changes in a world since the last look of a process. */
export interface Caught extends WorldState {
  /**
   * The world is to be loaded anew: a step befell it, the store no longer knows what was removed, or the store was set back
   * to an earlier state, or may have been.
   */
  readonly isAnew: boolean;
  /** Only of partitions that moved. */
  readonly versions: ReadonlyMap<string, number>;
  /**
   * As they are now, those first that changed longest ago; those that the process wrote itself may be among them. A
   * removal removes only what has its home there. None where the world is to be loaded anew.
   */
  readonly facts: readonly CaughtFact[];
}

export type CaughtFact = StoredFact | (FactChange & { readonly fact: null; readonly home: string });

/** The state of a world that a batch expects. All of it must still hold. */
export interface Dependency {
  readonly world: string;
  readonly epoch: number;
  /** With the homes and the tags of all changes of this world. */
  readonly versions: ReadonlyMap<string, number>;
  /** The cursor of the `WorldState`. */
  readonly cursor?: unknown;
}

export interface NewHeader {
  readonly world: string;
  readonly header: WorldHeader;
}

/** Changes in a world since a batch was made. No partitions: its epoch changed. */
export interface Moved {
  readonly world: string;
  readonly partitions: readonly string[];
}

/** Others were faster: nothing of the batch is kept, and it is to be judged anew by what they changed. */
export class StoreMoved extends SandgateError<'store.moved'> {
  readonly moved: readonly Moved[];

  constructor(moved: readonly Moved[]) {
    super('store.moved', {});
    this.name = 'StoreMoved';
    this.moved = moved;
  }
}

/** How this process serves on a store. */
export interface Serving {
  /** Others may write to it as well: batches say what they rest on. */
  readonly isShared: boolean;
  /**
   * 0 to 63: no other process that lives has it. Its exchange ids are those of no other one (see `IdSourceParts.slot`).
   * Another one where somebody took it while this process was cut off from the store.
   */
  readonly slot: number;
  /** Whether it is up to this one of those that live to remove what is too old. */
  readonly isFirst: () => boolean | Promise<boolean>;
}

/** Slots of exchange ids: so many gateways share a store at most. */
export const SLOTS = 64;
