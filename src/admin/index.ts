/** The admin layer: dashboard, API, health checks and metrics for the operator. */
export type { Ports, ResendPort, ResendWanted, SessionsPort, WaiversPort } from './api/ports.js';
export type { BankPort, BankView, ConsentAction, PaymentAction } from './bank/port.js';
export type { ShownConsent, ShownPayment } from './bank/schemas.js';
export type { DashboardPort } from './dashboard/port.js';
export type { ReadinessCheck } from './health.js';
export { createFeed, type Feed } from './live/feed.js';
export type { CertificateFile, LivePort, OwnCertificate } from './live/port.js';
export { createMetrics, type Metrics } from './metrics/create-metrics.js';
export { type Admin, type AdminParts, buildAdmin, openAdmin } from './server.js';
