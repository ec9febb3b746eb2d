/** What a gateway takes from the machine: clock, chance, log. */
export type { Log } from './system-parts.js';
export { portError, type SystemParts, systemParts } from './system-parts.js';
