/** Sends recordings again, and compares the answers. */
export type { AskPerson } from './by-person.js';
export { mergeNoise, type NoisePlace, readNoise, writeNoise } from './noise.js';
export { openBank, openEmulator } from './open-target.js';
export { operatorText } from './operator-actions.js';
export type { PlannedCall } from './plan.js';
export { renderHtml } from './render-html.js';
export { renderJunit } from './render-junit.js';
export type { RerunCall } from './rerun-call.js';
export { differenceText } from './rerun-call.js';
export {
  OUTCOMES,
  type RerunParts,
  type RerunReport,
  type RerunSource,
  rerunRecording,
} from './rerun-recording.js';
export type { Lender, LentToken, TokenNeed } from './run-state.js';
