/** The replay source: a recording answers. */
export * from './create-replay.js';
export type * from './miss.js';
