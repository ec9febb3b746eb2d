/** The recorder layer: from a finished exchange to the store. */
export { createRecorder, redactRecord } from './create-recorder.js';
export * from './recorder.js';
export { redactNote } from './redact-note.js';
