/** Which answers are the bank's own, and what the rules about them may look into. */
import { ANSWER_BODIES, type OperationId, type OperationRow } from '../../spec/index.js';
import type { ExchangeContext } from '../rule.js';

/** The bank, the emulator or a recording answered; refusals and faults of the gateway are not the bank's. */
export function isBankAnswer({ call, answer, exchange }: ExchangeContext): boolean {
  if (call.direction === 'to-tpp') return false;
  // With a fault it says that the recording has no answer, or repeats a fault of the gateway that was recorded.
  if (answer.source === 'replay') return exchange.fault === null;
  return answer.source === 'emulator' || answer.source === 'upstream';
}

/** The bank answered with a success. */
export function isBankSuccess(context: ExchangeContext): boolean {
  return isBankAnswer(context) && context.answer.status >= 200 && context.answer.status < 300;
}

/** The bank answered with an error. */
export function isBankError(context: ExchangeContext): boolean {
  return isBankAnswer(context) && context.answer.status >= 400;
}

/** A HEAD is answered without body, and so are 204 and 304. */
export function mayHaveBody({ call, answer }: ExchangeContext): boolean {
  return call.request.method !== 'HEAD' && answer.status !== 204 && answer.status !== 304;
}

export type BodyReading = { readonly value: unknown } | 'not-applicable' | 'not-observed';

/** The JSON of a success of the bank. That it is JSON at all is for answers/body-well-formed to judge. */
export function readSuccess(context: ExchangeContext): BodyReading {
  return isBankSuccess(context) && mayHaveBody(context) ? readAnswer(context) : 'not-applicable';
}

/** The JSON of an error of the bank. That it is JSON at all is for answers/error-body to judge. */
export function readError(context: ExchangeContext): BodyReading {
  return isBankError(context) && mayHaveBody(context) ? readAnswer(context) : 'not-applicable';
}

function readAnswer({ answer: { content } }: ExchangeContext): BodyReading {
  if (content.kind === 'json') return { value: content.value };
  return content.kind === 'not-observed' ? 'not-observed' : 'not-applicable';
}

/** Calls of the Berlin Group's interface whose success has a body. */
export const hasBody = ({ group }: OperationRow, id: OperationId): boolean =>
  ANSWER_BODIES[id] !== null && group !== 'oauth';
