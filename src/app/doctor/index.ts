/** Whether a gateway can start here, and how far the way to the bank leads. */
export type { Examination } from './examination.js';
export { examine } from './examine.js';
