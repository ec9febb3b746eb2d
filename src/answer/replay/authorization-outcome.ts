/** The redirect at the end of an authorisation: to this run's TPP, with the recorded outcome and this run's state. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { isReturnAddress } from '../../spec/index.js';
import { answerErrorPage } from '../page.js';
import { answerRedirect, appendQuery } from '../render.js';
import type { Flow } from './authorization-calls.js';
import type { Bindings } from './bindings.js';

const NOT_RECORDED = {
  error: 'access_denied',
  error_description: 'The recording does not show how this authorisation ended.',
} as const;

/** `redirectUris`: those that recorded creations named; an error may have gone to another than the redirect_uri. */
export function answerOutcome(
  { outcome }: Flow,
  call: Call,
  bindings: Bindings,
  redirectUris: readonly string[],
): Answer {
  if (outcome.kind === 'page') return answerPageOf(call, outcome.status);
  const redirectUri = queryValue(call, 'redirect_uri') ?? '';
  if (!isReturnAddress(redirectUri)) {
    const texts = ['redirect_uri is missing, or is not an absolute address of the web or of an app.'];
    return answerErrorPage(call, 'replay', { status: 400, title: 'Invalid request', texts });
  }
  const state = queryValue(call, 'state');
  const runOf = (value: string) => bindings.runOf(value) ?? value;
  const sendBack = (base: string, parameters: Readonly<Record<string, string | undefined>>) =>
    answerRedirect(call, 'replay', appendQuery(base, parameters));
  if (outcome.kind === 'code') return sendBack(redirectUri, { code: runOf(outcome.code), state });
  if (outcome.kind === 'unknown') return sendBack(redirectUri, { ...NOT_RECORDED, state });
  const { base, parameters } = outcome;
  // Where the recorded redirect went instead, as this run's creation names it.
  const others = redirectUris.filter((one) => one.split(/[?#]/, 1)[0] === base).map(runOf);
  const said = parameters.map(([name, value]) => [name, name === 'state' ? state : runOf(value)]);
  return sendBack(others.find(isReturnAddress) ?? redirectUri, Object.fromEntries(said));
}

/** Pages of the PSU are not recorded: one that says so stands in for them. */
export function answerPageOf(call: Call, status: number): Answer {
  const texts = [
    `In the recording the bank showed a page here (status ${status}). Pages for the PSU are not recorded, so this one is shown instead.`,
  ];
  return answerErrorPage(call, 'replay', { status, title: 'A page of the bank', texts });
}
