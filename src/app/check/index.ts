/** Judging recorded traffic without a server. */

export { askedBank } from '../report/asked-bank.js';
export { createOfflineJudge } from '../report/judging.js';
export {
  type CheckResult,
  checkRecording,
  type Occurrence,
  type RuleFindings,
} from './check-recording.js';
export { judgeRecording } from './judge-recording.js';
export { createSandboxIbans } from './sandbox-ibans.js';
