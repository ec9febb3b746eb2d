/** From a finished exchange to the store. */
export * from './recorder.js';
export * from './redact-record.js';
