/** The admin layer: live page, API, health checks and metrics for the operator. */

export type { Report } from '../report/index.js';
export type {
  ClockPort,
  Ports,
  ResendPort,
  ResendWanted,
  SessionsPort,
  ShownChange,
  ShownClock,
  ShownFault,
  ShownSettings,
  WaiversPort,
} from './api/ports.js';
export {
  type AccountAction,
  accountActions,
  type BankPage,
  type BankPort,
  type BankView,
  type BooksOf,
  CONSENT_ACTIONS,
  type ConsentAction,
  PAYMENT_ACTIONS,
  type PaymentAction,
  type ShownAccount,
  type ShownBank,
  type ShownBooks,
  type ShownConsent,
  type ShownPayment,
  type ShownPsu,
  type ShownSnapshot,
  wantedOf,
} from './bank/schemas.js';
export type { ShownBudget } from './budget.js';
export type { ShownRule } from './catalogue.js';
export type {
  CertificateFile,
  DecodedCertificate,
  ShownCertificate,
  ShownPart,
  WantedCertificate,
} from './certificate.js';
export type { Detail } from './exchanges/detail.js';
export { headersToSend, type Mended } from './exchanges/mend.js';
export type { Comparison } from './exchanges/routes.js';
export type { ExchangeList, Summary } from './exchanges/summary.js';
export type { Journey, Runs } from './journeys/chain.js';
export type { Alert } from './live/alerts.js';
export { createFeed, type Feed } from './live/feed.js';
export type { LivePort, OwnCertificate } from './live/port.js';
export type { Counts } from './live/session-counts.js';
export type { ShownTimeline } from './live/session-time.js';
export { createTally } from './metrics/counts.js';
export { createMetrics, type Metrics } from './metrics/create-metrics.js';
export { type Admin, type AdminParts, openAdmin } from './open-admin.js';
export type { PageAbout } from './page/routes.js';
export type { ReadinessCheck } from './server.js';
export type { ShownSession } from './sessions.js';
