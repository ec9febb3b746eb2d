/** The answer layer: the sources that answer a call which the rules let pass. */
export { answerRefusal } from './answer-refusal.js';
export * from './answerer.js';
export { createDeviations } from './deviations.js';
export type { Notification, NotificationRefusal } from './emulator/bank.js';
export * from './emulator/create-emulator.js';
export { createLinks, type Links, type LinksParts } from './emulator/links.js';
export * from './emulator/load-sandbox-data.js';
export * from './first-of.js';
export { type Html, html, htmlText, styleElement } from './html.js';
export { bookedRecord, entryRecord } from './living/account-records.js';
export { bankPageAt } from './living/bank-pages.js';
export { createLivingBank } from './living/create-living-bank.js';
export { consentRecord, paymentRecord } from './living/resource-records.js';
export * from './notification/create-notifier.js';
export { answerPage, answerReturnTwice } from './page.js';
export { openReply, renderJson, textBody } from './render.js';
export { isDated, moveDate } from './replay/dates.js';
export type * from './replay/index.js';
export * from './replay/options.js';
export { createRoute, operationsOf, type Route } from './route.js';
export type * from './upstream/index.js';
export { createBodyTally, type PassedBody, passBody } from './upstream/streamed-bodies.js';
/** Not loaded unless asked for: undici takes longer to load than all the rest. */
export const loadUpstream = () => import('./upstream/index.js');
