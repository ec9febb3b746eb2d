/** Rules of the user's own: found, loaded, asked. */
export { withOwnRules } from './load-own-rules.js';
