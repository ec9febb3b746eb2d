/** Calls, answers and exchanges as plain values, and their forms in files. */
export * from './cassette.js';
export * from './certificate-reference.js';
export * from './compare.js';
export * from './content.js';
export * from './exchange.js';
export * from './fingerprint.js';
export * from './har.js';
export * from './headers.js';
export * from './ids.js';
export * from './open.js';
export * from './pack.js';
export * from './read-recording.js';
export type { FileFinding, FileRecord, FileVerdicts } from './record-schema.js';
export type * from './recording-file.js';
export * from './redact.js';
export * from './redaction.js';
export * from './upgrade.js';
