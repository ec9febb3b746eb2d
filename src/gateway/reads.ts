/** Notes what a call reads. Gateways share a store: if another one changes that meanwhile, the call is judged anew. */
import { type Basis, hasMoved, type Known } from '../recorder/index.js';
import { StoreMoved } from '../store/index.js';

/** The call's judgement counts only while no other gateway has changed these partitions. */
export interface CallReads {
  readonly known: Known;
  readonly world: string;
  readonly partitions: Set<string>;
  /** How often others had been caught up with when the call began to read. */
  since: number;
}

interface Reading {
  readonly reads?: CallReads | undefined;
}

/** From now on reads are noted for this call, until another call begins or `stopNoting`. */
export function note({ reads }: Reading): void {
  if (reads !== undefined) reads.known.reads.into = reads.partitions;
}

export function stopNoting({ reads }: Reading): void {
  if (reads !== undefined) reads.known.reads.into = null;
}

export const basisOf = (reads: CallReads | undefined): Basis | undefined =>
  reads && { world: reads.world, partitions: reads.partitions };

/** Throws a StoreMoved if another gateway has changed what the call read, and the call was not sent. */
export function checkReads({ reads, wasSent }: Reading & { readonly wasSent: boolean }): void {
  if (!wasSent && reads !== undefined && hasMoved(reads.known, reads.partitions, reads.since))
    throw new StoreMoved([]);
}
