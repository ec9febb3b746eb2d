/** Compares two recordings of a bank’s interface, without a call. */

export * from './compare-recordings.js';
export { type Carried, CHANGE_CLASSES } from './compare-shapes.js';
export type { Change, NotCompared } from './compare-surfaces.js';
export type { States } from './surface.js';
