/** The upstream source: a bank answers. */
export * from './create-upstream.js';
export type { CredentialFiles } from './credential-files.js';
export * from './credentials.js';
export * from './limits.js';
export * from './probe-bank.js';
export * from './psu-proxy.js';
export { createBodyTally, passBody } from './streamed-bodies.js';
