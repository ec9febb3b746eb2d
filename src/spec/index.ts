/** The standard as data: everything that the specification says in tables, typed, and nothing else. */
export * from './bodies.js';
export * from './clauses.js';
export { IBAN_LENGTHS } from './codes.js';
export * from './errors.js';
export * from './formats.js';
export * from './headers.js';
export * from './limits.js';
export * from './operations.js';
export * from './readings.js';
export * from './recognise.js';
export * from './sandbox.js';
export * from './sandbox-data.js';
export * from './sandgate-error.js';
export * from './sca.js';
export * from './sources.js';
export * from './statuses.js';
export * from './uris.js';
