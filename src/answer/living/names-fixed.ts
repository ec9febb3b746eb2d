/** Tells which calls are the sandbox bank's: those that name an identifier of the specification. */
import { type Call, queryValue } from '../../exchange/index.js';
import { isFixedIdentifier, parseScope } from '../../spec/index.js';

/** Of the path, the consent, the scope, the authorisation or the code; an account goes with its consent. */
export function namesFixed(call: Call): boolean {
  const { consentId, paymentId, authorisationId } = call.params;
  const named = [
    consentId,
    paymentId,
    authorisationId,
    call.header['consent-id'],
    queryValue(call, 'authorizationId'),
    parseScope(queryValue(call, 'scope') ?? '')?.id,
    ...(call.content.kind === 'form' ? call.content.fields.map(([, value]) => value) : []),
  ];
  return named.some((one) => one !== undefined && isFixedIdentifier(one));
}
