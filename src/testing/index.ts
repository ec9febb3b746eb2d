/** The testing layer, which a TPP's tests import: a gateway in their own process that answers or replays. */
export type { AuthoriseOptions, AuthoriseResult } from './authorise.js';
export type { GatewayOptions } from './gateway-options.js';
export type { RecordMode } from './record-mode.js';
export { type ReplayOptions, replaySession } from './replay-session.js';
export type { CoveredExchange, ReplayCoverage, Session, SessionExchange, SessionFinding } from './session.js';
export { type Gateway, startGateway } from './start-gateway.js';
export type { TestBank, TestConsent, TestPayment, TestPsu } from './test-bank.js';
export type { AgentOptions, CertificateAndKey, TestCertificates } from './test-certificates.js';
export type { Moment, TestClock } from './test-clock.js';
export type { TestTpp, TppAccess, TppAnswer, TppCall } from './test-tpp.js';
