/** Judging recorded traffic without a server. */
export {
  type CheckResult,
  checkRecording,
  type Occurrence,
  type RuleFindings,
} from './check-recording.js';
export { createOfflineJudge, judgeRecording } from './judge-recording.js';
export { sandboxIbans } from './sandbox-ibans.js';
