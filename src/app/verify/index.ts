/** The checks of `sandgate verify`. */
export { checkChain } from './chain.js';
export { type Check, checked, statusOf } from './check.js';
export { checkCheckpoints } from './checkpoints.js';
export { checkContents, sourceOfFile, sourceOfReport } from './contents.js';
export { checkFile, missingFile, statementNamedIn } from './files.js';
export { readReport, readStanding, type StandingReport } from './read-report.js';
export { type CheckedSignature, checkSignature } from './signature.js';
