/** The app layer: settings, and building a gateway from them. */
export type { Urls } from './addresses.js';
export { type Certificates, ensureCertificates } from './certificates.js';
export {
  type CheckResult,
  checkRecording,
  type Occurrence,
  type RuleFindings,
} from './check-recording.js';
export * from './config.js';
export { type EffectiveOption, type LoadedConfig, loadConfig } from './config-load.js';
export { CONFIG_OPTIONS, type ConfigOption, hasFlag } from './config-options.js';
export { type EffectiveRule, effectiveRules } from './effective-rules.js';
export { EVIDENCE_PUBLIC } from './evidence-key.js';
export type { Examination } from './examination.js';
export { examine } from './examine.js';
export { type Sandgate, startSandgate } from './gateway-app.js';
export { type IssueOrder, issueInto } from './issue-certificate.js';
export { createOfflineJudge, judgeRecording } from './judge-recording.js';
export { KEY_TYPES, type KeyType } from './key-pairs.js';
export { type ListedCertificate, listCertificates } from './list-certificates.js';
export type { Log } from './log.js';
export { mintCertificates } from './mint-certificates.js';
export { openFileSource } from './report-file-source.js';
export { type OpenedSource, openSessionSource, pickSource } from './report-source.js';
export { evidenceKey, type ReaderTrust, withWitness } from './report-witness.js';
export * from './rerun/index.js';
export { sandboxIbans } from './sandbox-ibans.js';
export {
  EXPORT_FORMATS,
  type ExportFormat,
  exportSession,
} from './sessions/export-session.js';
export { type ImportParts, importRecording } from './sessions/import-recording.js';
export type { ShadowDifference, ShadowNote } from './shadow.js';
export { systemParts } from './system-parts.js';
export { TEST_CERTIFICATE_NAMES, type TestCertificateName } from './test-certificates.js';
export * from './units.js';
export { upstreamWarnings } from './upstream-source.js';
export * from './verify/index.js';
