/** What a store is copied by: its rows as they stand, so that every link, checkpoint and time stamp holds in the copy. */
import type { ChainBreak } from '../chain.js';
import type { Column } from '../columns.js';
import type { Awaitable, Rows, VerifiedLink } from '../port.js';

/** A chain, as its row says; whatever somebody made of that. */
export interface CopiedChain {
  /** As the store knows it: the copy has the same number for it. */
  readonly id: number;
  readonly session: string;
  /** What it calls the store that it is of, here and in the copy. */
  readonly store: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly last: number;
  readonly head: string;
  /** Rows that it has now, those of exchanges and those of beginnings. */
  readonly exchanges: number;
  readonly begun: number;
  /** From the first to the last one, as its row says; null: those of its entries are meant. */
  readonly turns: readonly [first: number, last: number] | null;
}

/** What several exchanges of a chain share: a text, or one that is compressed. */
export type CopiedPart = readonly [part: number, content: string | Uint8Array];
export type CopiedCertificate = readonly [reference: string, facts: string];

/** An entry of a chain; `turn` orders those of all chains, and grows along each of them. */
export type CopiedEntry = {
  readonly turn: number;
  readonly seq: number;
  readonly link: string;
} & (
  | { readonly kind: 'note'; readonly note: readonly [at: number, kind: string, settings: string] }
  | {
      readonly kind: 'exchange' | 'begun';
      readonly id: number;
      readonly own: string | Uint8Array;
      /** Shape, verdicts, findings and the bodies. */
      readonly columns: readonly Column[];
    }
);

export interface CopiedLayer {
  readonly id: number;
  readonly parent: number | null;
  readonly snapshot: string | null;
  readonly at: number | null;
  /** JSON. */
  readonly clock: string | null;
}

export interface CopiedWorld {
  readonly world: string;
  readonly epoch: number;
  readonly steps: number;
  /** JSON. */
  readonly header: string;
  /** In the order in which they began; the last one is what the world is now. */
  readonly layers: readonly CopiedLayer[];
}

export type CopiedPartition = readonly [world: string, partition: string, version: number];

export interface CopiedFact {
  readonly world: string;
  readonly layer: number;
  readonly family: string;
  readonly key: string;
  /** JSON; null: it is none any more. */
  readonly fact: string | null;
  /** The partition that it belongs to. */
  readonly home: string;
}

/** All of it is as of one moment, whoever writes meanwhile. Rows come in pages. */
export interface CopySource {
  /** Its id: no other store has it. */
  readonly store: string;
  /** As it is shown. */
  readonly name: string;
  /** The secret of its fingerprints; null where it has none yet. */
  readonly key: Uint8Array | null;
  /** In the order in which they began. */
  readonly chains: () => Awaitable<readonly CopiedChain[]>;
  readonly parts: (chain: number) => Rows<readonly CopiedPart[]>;
  readonly certificates: (chain: number) => Rows<readonly CopiedCertificate[]>;
  /** In order. */
  readonly entries: (chain: number) => Rows<readonly CopiedEntry[]>;
  readonly worlds: () => Awaitable<readonly CopiedWorld[]>;
  readonly partitions: () => Rows<readonly CopiedPartition[]>;
  readonly countFacts: () => Awaitable<number>;
  /** Those that changed longest ago first. */
  readonly facts: () => Rows<readonly CopiedFact[]>;
  readonly close: () => Awaitable<void>;
}

/** A store that is nobody's yet. */
export interface CopyTarget {
  readonly store: string;
  readonly name: string;
  /**
   * From here on nobody else may use it, until it is finished; what a copy before left is removed. `hadRest`: there was
   * such a thing. Throws a SandgateError where it is in use, or holds anything else.
   */
  readonly begin: (key: Uint8Array | null) => Awaitable<{ readonly hadRest: boolean }>;
  readonly putParts: (chain: number, parts: readonly CopiedPart[]) => Awaitable<void>;
  readonly putCertificates: (chain: number, rows: readonly CopiedCertificate[]) => Awaitable<void>;
  readonly putEntries: (chain: number, entries: readonly CopiedEntry[]) => Awaitable<void>;
  /** After what is in it. */
  readonly putChain: (chain: CopiedChain, turns: NonNullable<CopiedChain['turns']>) => Awaitable<void>;
  readonly putWorlds: (worlds: readonly CopiedWorld[]) => Awaitable<void>;
  readonly putPartitions: (partitions: readonly CopiedPartition[]) => Awaitable<void>;
  readonly putFacts: (facts: readonly CopiedFact[]) => Awaitable<void>;
  readonly verify: (session: string, onLink: (link: VerifiedLink) => void) => Rows<ChainBreak>;
  /** It is whole: gateways may serve on it. */
  readonly finish: () => Awaitable<void>;
  readonly close: () => Awaitable<void>;
}
