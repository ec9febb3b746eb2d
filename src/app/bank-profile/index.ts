/** Proposes bank profiles: out of OpenAPI documents. */
export { proposeProfile } from './from-openapi.js';
export { readOpenApi } from './openapi-document.js';
