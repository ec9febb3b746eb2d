/** What the operator of the gateway sees of it. */
export type { DashboardPort } from './dashboard/port.js';
export type { ReadinessCheck } from './health.js';
export { createMetrics, type Metrics } from './metrics/create-metrics.js';
export { type Admin, type AdminParts, buildAdmin, openAdmin } from './server.js';
