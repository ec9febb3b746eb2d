/** The bank with a memory: what TPPs create gets fresh ids, and what happens to it is remembered. */
import type { Population } from '../../bank/index.js';
import { answerRefusal } from '../answer-refusal.js';
import type { Emulator, EmulatorParts } from '../emulator/create-emulator.js';
import { createLinks } from '../emulator/links.js';
import type { LivingBank, LivingHandlers } from './living.js';
import { namesFixed } from './names-fixed.js';

export interface LivingParts extends EmulatorParts {
  /** Answers what names a fixed identifier of the specification, and what was begun there. */
  readonly sandbox: Emulator;
  readonly population: Population;
}

export function createLivingBank(parts: LivingParts): Emulator {
  const handlers = createHandlers({ ...parts, links: createLinks(parts) });
  return {
    name: 'emulator',
    answer: (call, context) => {
      if (context.refusal !== null) return { answer: answerRefusal(context.refusal, call, 'emulator') };
      const handler = call.operation === null || namesFixed(call) ? undefined : handlers[call.operation];
      return handler?.(call, context) ?? parts.sandbox.answer(call, context);
    },
  };
}

/** Group by group, as in the sandbox bank. */
function createHandlers(_bank: LivingBank): LivingHandlers {
  return {};
}
