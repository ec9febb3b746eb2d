/** The report layer: from stored verdicts to a document, one model for all formats. */

export { messageCode } from './build/collector.js';
export { notesText } from './build/evidence.js';
export { injectedText } from './build/findings.js';
export { usualTitle } from './build/head.js';
export { createJourneyIndex, stageOf } from './build/journeys.js';
export { HIDDEN, judgingFor } from './build/one-tpp.js';
export { ruleText } from './build/rule-text.js';
export { findingsAtGate, isUntested } from './build/verdict.js';
export { DEFAULT_CAPS, openReport } from './build-report.js';
export { curlLine, fetchCode, vitestCode } from './code.js';
export { compareReports } from './compare-reports.js';
export { renderAnnotations } from './formats/annotations.js';
export { xmlAttribute } from './formats/junit.js';
export { FORMAT_NAMES, FORMATS, type Format, formatOf, renderReport, reportBytes } from './formats.js';
export { grouped } from './html/text.js';
export * from './model.js';
export { type ReportOptions, type ReportSource, recipeOf } from './source.js';
export { digestOf, readStatement, type Statement, writeStatement } from './statement.js';
export { MOST_STATISTICS_BYTES, readStatistics } from './statistics.js';
export { renderTicket } from './ticket.js';
export { renderTrend, TREND_FORMATS } from './trend/formats.js';
export type { Trend } from './trend/model.js';
export { openTrend, type TrendOptions } from './trend/trend.js';
