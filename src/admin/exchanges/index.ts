/** What other layers tell of an exchange, as the list does. */
export { type Brief, brief, briefOf, graver, worstOf } from './brief.js';
