/** The redirect at the end of an authorisation: to this run's TPP, with the recorded outcome and this run's state. */
import { type Answer, type Call, queryValue } from '../../exchange/index.js';
import { isReturnAddress } from '../../spec/index.js';
import { answerErrorPage } from '../page.js';
import { answerRedirect, appendQuery } from '../render.js';
import type { Flow } from './authorization-calls.js';
import type { Bindings } from './bindings.js';

export interface OutcomeParts {
  readonly bindings: Bindings;
  /** Redirect URIs that recorded creations named: an error may have gone to another than the redirect_uri. */
  readonly redirectUris: readonly string[];
}

const NOT_RECORDED = {
  error: 'access_denied',
  error_description: 'The recording does not show how this authorisation ended.',
} as const;

export function answerOutcome({ outcome }: Flow, call: Call, parts: OutcomeParts): Answer {
  if (outcome.kind === 'page') return answerPageOf(call, outcome.status);
  const redirectUri = queryValue(call, 'redirect_uri') ?? '';
  if (!isReturnAddress(redirectUri)) {
    const texts = ['redirect_uri is missing, or is not an absolute address of the web or of an app.'];
    return answerErrorPage(call, 'replay', { status: 400, title: 'Invalid request', texts });
  }
  const state = queryValue(call, 'state');
  const runOf = (value: string) => parts.bindings.runOf(value) ?? value;
  switch (outcome.kind) {
    case 'code':
      return answerRedirect(call, 'replay', appendQuery(redirectUri, { code: runOf(outcome.code), state }));
    case 'unknown':
      return answerRedirect(call, 'replay', appendQuery(redirectUri, { ...NOT_RECORDED, state }));
    case 'redirect': {
      const base = outcome.base === null ? redirectUri : otherAddress(outcome.base, redirectUri, parts);
      const parameters = outcome.parameters.map(([name, value]) => [
        name,
        name === 'state' ? state : runOf(value),
      ]);
      return answerRedirect(call, 'replay', appendQuery(base, Object.fromEntries(parameters)));
    }
  }
}

/** Where the recorded redirect went instead, as this run's creation names it. */
function otherAddress(base: string, redirectUri: string, { bindings, redirectUris }: OutcomeParts): string {
  for (const recorded of redirectUris) {
    if (recorded.split(/[?#]/, 1)[0] !== base) continue;
    const own = bindings.runOf(recorded) ?? recorded;
    if (isReturnAddress(own)) return own;
  }
  return redirectUri;
}

/** Pages of the PSU are not recorded: one that says so stands in for them. */
export function answerPageOf(call: Call, status: number): Answer {
  const texts = [
    `In the recording the bank showed a page here (status ${status}). Pages for the PSU are not recorded, so this one is shown instead.`,
  ];
  return answerErrorPage(call, 'replay', { status, title: 'A page of the bank', texts });
}
