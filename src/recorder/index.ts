/** The recorder layer: from a finished exchange to the store. */
export { createRecorder } from './create-recorder.js';
export * from './known.js';
export * from './recorder.js';
export { redactRecord } from './redact-record.js';
