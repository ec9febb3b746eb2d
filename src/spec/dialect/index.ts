/** The interface of one bank: its profile as data, and what follows from it. */
export * from './bank-profile.js';
export * from './check-profile.js';
export * from './dialect.js';
export * from './named-profile.js';
export * from './noted-profile.js';
export * from './resolve.js';
export * from './sca-steps.js';
