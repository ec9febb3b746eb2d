/** The exchange layer: calls, answers and exchanges as plain values, their redaction, and their forms in files. */

export { type FoundLink, membersOf } from './answer-members.js';
export * from './body-bytes.js';
export * from './compare/align-entries.js';
export { compareAnswers } from './compare/compare.js';
export { compareRequests } from './compare/compare-requests.js';
export * from './compare/difference.js';
export * from './compare/quieten.js';
export * from './compare/value-kind.js';
export * from './content.js';
export * from './exchange.js';
export * from './glob.js';
export * from './headers.js';
export * from './ids.js';
export { closingQuote, parseJsonText } from './json-text.js';
export * from './link.js';
export * from './locate-member.js';
export * from './members.js';
export * from './message.js';
export { type NamedResource, namedResource, resourceOfScope } from './named-resource.js';
export * from './open.js';
export * from './place.js';
export { findIbans } from './pseudonyms/ibans-in-text.js';
export * from './pseudonyms/pseudonymise.js';
export { PERSONAL_HEADERS, type PersonalKind, personalKindOf } from './pseudonyms/pseudonymised-fields.js';
export * from './pseudonyms/pseudonyms.js';
export * from './reads.js';
export * from './recent-cache.js';
export { recordedAgain } from './recorded-again/recorded-again.js';
export { stableCassette } from './recorded-again/stable.js';
export * from './recording/called-at.js';
export type { FileRecord } from './recording/record-schema.js';
export type * from './recording/recording-file.js';
export {
  bankOriginsIn,
  type GatewayNote,
  gatewayNotes,
  isPlaced,
  isStep,
  lastSettings,
  NOTE_KINDS,
  type NoteKind,
  type NoteSettings,
  originsBehind,
  readNote,
  type SessionNote,
  type StepNote,
  stepKey,
} from './recording/session-note.js';
export * from './redaction/fingerprint.js';
export * from './redaction/own-copy.js';
export * from './redaction/redact.js';
export { holdsSecretValue, mayHide } from './redaction/redact-hidden.js';
export * from './redaction/redact-value.js';
export * from './redaction/redaction.js';
export { isUnmistakable } from './redaction/secret-forms.js';
export { repeatedMember } from './repeated-member.js';
export * from './scan/scan-text.js';
export * from './stage.js';
export * from './stored/certificate-reference.js';
export * from './stored/pack.js';
export type * from './stored/packed.js';
export * from './stored/upgrade.js';
export * from './text-memory.js';
export type * from './wire.js';
