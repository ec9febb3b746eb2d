/** What the recording says of an SCA link: for what it is, and what its authorization request must name. */
import { type Exchange, memberOf, textMember } from '../exchange/index.js';
import { consentScope, paymentScope, scopeInPath } from '../spec/index.js';

/** Of the parameters that an authorization request needs, those that follow from the call that gave its link. */
export interface GivenParameters {
  readonly scope?: string;
  readonly clientId?: string;
  readonly redirectUri?: string;
}

export function parametersOf(link: string, exchanges: readonly Exchange[]): GivenParameters {
  const giver = exchanges.findLast((exchange) => linkOf(exchange) === link);
  const scope = giver === undefined ? undefined : scopeOf(giver);
  if (giver === undefined || scope === undefined) return {};
  // An authorisation that is started by itself goes back to where its creation said.
  const redirectUri = [giver, ...exchanges.filter((one) => scopeOf(one) === scope)]
    .map(({ call }) => call.header['tpp-redirect-uri'])
    .find((uri) => uri !== undefined);
  const { tpp } = giver.call;
  return {
    scope,
    ...(tpp === null || tpp.startsWith('cert:') ? {} : { clientId: tpp }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
  };
}

function linkOf({ answer }: Exchange): unknown {
  if (answer?.content.kind !== 'json') return undefined;
  return memberOf(memberOf(memberOf(answer.content.value, '_links'), 'scaOAuth'), 'href');
}

function scopeOf({ call, answer }: Exchange): string | undefined {
  const named = scopeInPath(call.params);
  if (named !== null) return named;
  const [consent, payment] = ['consentId', 'paymentId'].map((name) => textMember(answer?.content, name));
  if (consent !== undefined) return consentScope(consent);
  return payment === undefined ? undefined : paymentScope(payment);
}
