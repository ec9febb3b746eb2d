/** The weather layer: faults that operators set, and what they do to calls. */
export { checkTogether, type Fault, type FaultRow, readFault, readFaults } from './fault.js';
export { createWeather, type Weather } from './weather.js';
