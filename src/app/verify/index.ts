/** The checks of `sandgate verify`. */
export { checkChain } from './chain.js';
export { type Check, checked, statusOf } from './check.js';
export { checkCheckpoints } from './checkpoints.js';
export { checkContents, fieldText, sourceOfFile, sourceOfReport } from './contents.js';
export { checkDossier } from './dossier.js';
export {
  checkFile,
  checkSignature,
  missingFile,
  readReport,
  readStanding,
  type StandingReport,
  statementNamedIn,
} from './files.js';
