/** The weather layer: faults that operators set, and what they do to calls. */
export { checkTogether, type Fault, type FaultRow, faultRow, readFault, readFaults } from './fault.js';
export type { ConnectionFault, OtherServer } from './kind.js';
export { KIND_ROWS } from './kinds.js';
export { createWeather, type Weather } from './weather.js';
