/** Exchanges in a line, in full and as a sentence, for other layers. */
export { type Brief, brief, briefOf, graver, worstOf } from './brief.js';
