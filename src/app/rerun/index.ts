/** Sends recordings again, and compares the answers. */
export { withHistory } from './history.js';
export { readHistory, writeHistory } from './history-file.js';
export { mergeNoise, type NoisePlace, readNoise, writeNoise } from './noise.js';
export { operatorText } from './operator-actions.js';
export { renderHtml, renderJunit } from './render.js';
export { rerunRecording } from './rerun-recording.js';
export {
  differenceText,
  goneTexts,
  historyText,
  isBreak,
  OUTCOMES,
  type RerunCall,
  type RerunReport,
} from './result.js';
export type { AskPerson, Lender, LentToken, PlannedCall, RerunParts, RerunSource, TokenNeed } from './run.js';
export { openBank, openEmulator } from './target.js';
