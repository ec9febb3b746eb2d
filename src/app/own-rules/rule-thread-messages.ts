/** The messages between the thread that runs own rules and the one that started it. */
import type { MessagePort } from 'node:worker_threads';
import type { Said, SeenExchange } from '../../rules/own/index.js';

export interface ThreadData {
  readonly urls: readonly string[];
  readonly port: MessagePort;
  readonly shared: SharedArrayBuffer;
}

/** Places in the memory that both share: how often the thread has said something, the question that it is at, and the rule. */
export const SAID = 0;
export const AT = 1;
export const RUNNING = 2;

export interface Asked {
  readonly id: number;
  readonly rules: readonly number[];
  readonly seen: SeenExchange;
}

export type FromThread =
  /** The rules by file, without their checks. */
  | { readonly kind: 'ready'; readonly files: readonly (readonly unknown[])[] }
  /** `file`: the number of the one that could not be loaded. */
  | { readonly kind: 'failed'; readonly file: number; readonly problem: string }
  | { readonly kind: 'said'; readonly id: number; readonly said: readonly Said[] };
