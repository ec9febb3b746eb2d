/** The rehearsal layer: a TPP's own application is taken through bad days, and a grid says what it survives. */
export { CELLS } from './cells/index.js';
export { readPlan } from './plan.js';
export { renderHtml } from './render-html.js';
export { renderJunit } from './render-junit.js';
export { renderList, renderText, SIGNS, sentenceOf } from './render-text.js';
export { type CellResult, isHandled, type Rehearsal, toJson } from './result.js';
export { offeredCells, rehearse, selectCells } from './run.js';
