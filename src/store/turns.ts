/** Turns order what is recorded over all chains: they are times of the server's clock, in parts of a millisecond. */

import { hash } from 'node:crypto';

export const TURNS_PER_MS = 4096;

/** The first turn of a time, epoch ms. */
export const turnAt = (ms: number): number => Math.floor(ms) * TURNS_PER_MS;

/** A digest of the turns of entries, moved on by one entry; empty before the first. */
export const orderBehind = (order: string, seq: number, turn: number): string =>
  hash('sha256', `${order}\n${seq} ${turn}`, 'base64url');
