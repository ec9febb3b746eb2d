/** The upstream source: a bank answers. */
export * from './body-tally.js';
export * from './create-upstream.js';
export type { CredentialFiles } from './credential-files.js';
export * from './credentials.js';
export * from './limits.js';
export * from './pass-body.js';
export * from './probe-bank.js';
export * from './psu-proxy.js';
