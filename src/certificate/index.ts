/** What a certificate says, and the making of test ones. */
export type * from './facts.js';
