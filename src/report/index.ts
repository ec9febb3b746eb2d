/** From stored verdicts to a document: one model, one file a format. */
export type { Baseline } from './build/baseline.js';
export { buildReport, DEFAULT_CAPS, type ReportOptions } from './build-report.js';
export { catalogueDigest } from './catalogue-digest.js';
export * from './model.js';
export type { EvidenceSource, ReportSource } from './source.js';
