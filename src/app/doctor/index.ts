/** Whether a gateway can start here, and how far the way to the bank leads. */

export { examine } from './examine.js';
export type { Examination } from './examine-bank.js';
