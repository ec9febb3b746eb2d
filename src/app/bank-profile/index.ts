/** Proposes bank profiles: out of OpenAPI documents, and of recordings. */
export { proposeProfile } from './from-openapi.js';
export { createLearner } from './learn.js';
export { callsInHar, proposeSeenPaths, type SeenCall } from './learn-paths.js';
export { readOpenApi } from './openapi-document.js';
export { accept, type Proposal, withFitting } from './proposal.js';
