/** What a gateway takes from the machine: clock, chance, log. */
export type { Log } from './log.js';
export { portError } from './port-error.js';
export { type SystemParts, systemParts } from './system-parts.js';
