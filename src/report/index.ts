/** From stored verdicts to a document: one model, one file a format. */
export * from './model.js';
