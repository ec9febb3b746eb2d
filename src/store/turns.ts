/** Turns order what is recorded over all chains: they are times of the server's clock, in parts of a millisecond. */

export const TURNS_PER_MS = 4096;

/** The first turn of a time, epoch ms. */
export const turnAt = (ms: number): number => Math.floor(ms) * TURNS_PER_MS;
