/** Exchanges, notes and changes that wait to be kept together. */
import type { SandgateError } from '../spec/index.js';
import {
  COMMON_WORLD,
  type KeptChange,
  type NotedSession,
  type RecordedExchange,
  type WorldHeader,
} from '../store/index.js';
import type { Basis } from './recorder.js';

/** All that is taken in one turn of the event loop shares one transaction, and one promise. */
export interface Waiting {
  readonly batch: {
    readonly notes: NotedSession[];
    readonly begun: RecordedExchange[];
    readonly records: RecordedExchange[];
    readonly changes: KeptChange[];
    readonly headers: { readonly world: string; readonly header: WorldHeader }[];
  };
  readonly looked: Map<string, Set<string>>;
  readonly bound: Set<NotedSession>;
  readonly onLost: (() => void)[];
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: SandgateError) => void;
  tries: number;
}

const ignore = (): void => {};

export function openWaiting(notes: readonly NotedSession[]): Waiting {
  let resolve: () => void = ignore;
  let reject: (error: SandgateError) => void = ignore;
  const kept = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // If all clients of a turn are gone, nobody looks at the promise; the fault was reported all the same.
  kept.catch(ignore);
  const batch = { notes: [...notes], begun: [], records: [], changes: [], headers: [] };
  const looked = new Map<string, Set<string>>();
  return { batch, looked, bound: new Set(), onLost: [], kept, resolve, reject, tries: 0 };
}

/** Remembers what a part of it depends on. */
export function dependOn(
  { batch, looked }: Waiting,
  { world, partitions, header }: Basis,
  changes: readonly KeptChange[],
): void {
  const inWorld = looked.get(world) ?? new Set<string>();
  looked.set(world, inWorld);
  for (const partition of partitions) inWorld.add(partition);
  for (const change of changes) {
    if ('step' in change) continue;
    if (change.home !== undefined) inWorld.add(change.home);
    for (const tag of change.tags ?? []) inWorld.add(tag);
  }
  // The stance, the source, the session: what holds for all gateways.
  if (!looked.has(COMMON_WORLD)) looked.set(COMMON_WORLD, new Set());
  if (header !== undefined) batch.headers.push({ world, header });
}
