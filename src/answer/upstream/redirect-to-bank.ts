/** Sends the PSU's browser on to the bank's own page, with exactly the TPP's parameters. */
import type { Call } from '../../exchange/index.js';
import type { Answered } from '../answerer.js';
import { answerRedirect } from '../render.js';
import { pathOf } from './open-request.js';

/** `base`: origin and base path of the bank's pages, without a slash at the end. */
export function redirectToBank(call: Call, base: string): Answered {
  return { answer: answerRedirect(call, 'upstream', pathOf(call.request.target, base)) };
}
