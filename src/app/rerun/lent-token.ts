/** Access tokens from outside a run: one that the user gave, or those that a command of the user's gets. */
import {
  divideLink,
  type Exchange,
  type HeaderList,
  namedResource,
  queryValue,
  textMember,
} from '../../exchange/index.js';
import { consentScope, parseScope, paymentScope } from '../../spec/index.js';
import { noteMissing } from './reasons.js';
import type { RerunCall } from './result.js';
import type { LentToken, TokenNeed } from './run.js';
import { factsOf, type Run } from './run.js';

const LEFT = 'it is left to the token command';

/** What the lender does in place of a recorded authorisation, or of the token call behind it; null of other calls. */
export async function leaveToLender(run: Run, exchange: Exchange, index: number): Promise<RerunCall | null> {
  const { call, answer } = exchange;
  if (run.lender?.authorises !== true || !run.target.real || answer === null || answer.status >= 400)
    return null;
  const facts = factsOf(run, exchange, index);
  if (call.operation === 'oauth.authorize') {
    if (divideLink(answer.header.location ?? '').parameters.has('error')) return null;
    const id = parseScope(queryValue(call, 'scope') ?? '')?.id;
    if (id !== undefined) run.state.unauthorised.set(id, 'nobody authorised it: no token was asked for');
    return { ...facts, outcome: 'sent', reason: LEFT };
  }
  const token = givenToken(exchange);
  if (token === undefined) return null;
  const lent = await borrow(run, token, exchange);
  noteMissing(exchange, index, run.state);
  return 'problem' in lent
    ? { ...facts, outcome: 'skipped', reason: lent.problem }
    : { ...facts, outcome: 'sent', reason: LEFT };
}

export function noteScope(exchange: Exchange, { state }: Run): void {
  const token = givenToken(exchange);
  const scope = textMember(exchange.answer?.content, 'scope');
  if (token !== undefined && scope !== undefined) state.scopes.set(token, scope);
}

const givenToken = ({ call, answer }: Exchange): string | undefined =>
  call.operation === 'oauth.token' ? textMember(answer?.content, 'access_token') : undefined;

/**
 * The recorded token of a call in whose place one is to be lent; null where it needs none, or has one of this run. It
 * goes to the API alone. A token that nobody gave, and that was refused, is no reason to lend one.
 */
export function tokenToLend({ call, answer }: Exchange, { lender, state }: Run): string | null {
  const recorded = call.header.authorization?.replace(/^\S+\s+/, '') ?? '';
  if (lender === undefined || recorded === '' || call.listener !== 'api' || answer === null) return null;
  if (answer.status >= 400 && !state.missing.has(recorded)) return null;
  return state.lent.has(recorded) || state.sent.valueOf(recorded) === undefined ? recorded : null;
}

/** Each recorded token is asked for once. */
export async function borrow(
  { lender, state, target }: Run,
  recorded: string,
  exchange: Exchange,
): Promise<LentToken | { readonly problem: string }> {
  const known = state.lent.get(recorded);
  if (known !== undefined) return known;
  const scope = parseScope(state.scopes.get(recorded) ?? scopeNamedBy(exchange));
  const id = scope && (state.sent.valueOf(scope.id) ?? scope.id);
  const isPayment = scope?.service === 'PIS';
  const need: TokenNeed = {
    against: target.api,
    scope: scope === undefined ? null : `${scope.service}:${id}`,
    consentId: (isPayment ? undefined : id) ?? null,
    paymentId: (isPayment ? id : undefined) ?? null,
    link: state.authoriseLinks.get(id ?? '') ?? null,
  };
  const lent = (await lender?.ask(need)) ?? { problem: 'nobody lends a token' };
  state.lent.set(recorded, lent);
  if (!('problem' in lent)) {
    state.sent.learn(recorded, lent.token);
    if (scope !== undefined) state.unauthorised.delete(scope.id);
  } else if (scope !== undefined && state.unauthorised.has(scope.id))
    state.unauthorised.set(scope.id, lent.problem);
  return lent;
}

function scopeNamedBy(exchange: Exchange): string {
  const { kind, id = '' } = namedResource(exchange) ?? {};
  return kind === 'payment' ? paymentScope(id) : consentScope(id);
}

/** The token's consent goes with it: a token that was given is for one that this run did not create. */
export function withConsent(
  headers: HeaderList,
  { consent }: LentToken,
  { call }: Exchange,
  { lender }: Run,
): HeaderList {
  const sent = consent ?? (lender?.authorises === true ? undefined : call.header['consent-id']);
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'consent-id' ? [name, sent ?? value] : [name, value],
  );
}
