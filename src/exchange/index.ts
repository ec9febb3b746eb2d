/** Calls, answers and exchanges as plain values, and their forms in files. */
export * from './compare.js';
export * from './content.js';
export * from './exchange.js';
export * from './fingerprint.js';
export * from './headers.js';
export * from './open.js';
