/** The recorder layer: from a finished exchange to the store. */
export * from './known.js';
export * from './recorder.js';
export { redactRecord } from './redact-record.js';
