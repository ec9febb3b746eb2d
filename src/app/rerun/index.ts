/** Sends recordings again, and compares the answers. */
export { differenceText } from './difference-text.js';
export { mergeNoise, type NoisePlace, readNoise, writeNoise } from './noise.js';
export { type BankAddress, openBank, openEmulator } from './open-target.js';
export type { PlannedCall } from './plan.js';
export { renderHtml } from './render-html.js';
export { renderJunit } from './render-junit.js';
export type { CallOutcome, RerunCall } from './rerun-call.js';
export {
  OUTCOMES,
  type RerunParts,
  type RerunReport,
  type RerunSource,
  rerunRecording,
} from './rerun-recording.js';
