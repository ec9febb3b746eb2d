/** What the operator of the gateway sees of it. */
export type { ReadinessCheck } from './health.js';
export { type Admin, type AdminParts, buildAdmin, openAdmin } from './server.js';
