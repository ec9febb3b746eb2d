/** Who answers a call that the rules let pass. */
export { answerRefusal } from './answer-refusal.js';
export * from './answerer.js';
export { createAllowList } from './callback/allow-list.js';
export * from './callback/create-notifier.js';
export type { Callback, CallbackRefusal } from './emulator/bank.js';
export * from './emulator/create-emulator.js';
export * from './emulator/load-sandbox-data.js';
export * from './first-of.js';
export * from './replay/index.js';
