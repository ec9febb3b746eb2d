/** Erasing what a store holds of a person. */
export * from './erase.js';
