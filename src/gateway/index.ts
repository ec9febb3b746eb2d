/** The gateway layer: listeners and the way of a call. */
export * from './arrivals.js';
export { createTurnAway } from './ask.js';
export { trackConnections } from './connections.js';
export {
  createFailedConnections,
  type FailedConnections,
} from './failed-connections.js';
export { createInsist } from './insist.js';
export * from './listener.js';
export type { NamedSession, SessionAsker } from './opened.js';
export { createMarkOwn, ownCallHeader } from './own-calls.js';
export * from './pages.js';
export * from './pipeline.js';
export * from './recognise-on-listener.js';
export { createSealOf } from './seals.js';
