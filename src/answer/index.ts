/** The answer layer: the sources that answer a call which the rules let pass. */
export { answerRefusal } from './answer-refusal.js';
export * from './answerer.js';
export { createAllowList } from './callback/allow-list.js';
export * from './callback/create-notifier.js';
export type { Callback, CallbackRefusal } from './emulator/bank.js';
export * from './emulator/create-emulator.js';
export * from './emulator/load-sandbox-data.js';
export * from './first-of.js';
export { type Html, html, htmlText, styleElement } from './html.js';
export { isDated, moveDate } from './replay/dates.js';
export * from './replay/index.js';
export { createRoute, operationsOf } from './route.js';
export { createBodyTally } from './upstream/body-tally.js';
export type * from './upstream/index.js';
export { type PassedBody, passBody } from './upstream/pass-body.js';
/** Not loaded unless asked for: undici takes longer to load than all the rest. */
export const loadUpstream = () => import('./upstream/index.js');
