/** Tells which calls are the sandbox bank's: those that are on an identifier of the specification. */
import { type Call, queryValue } from '../../exchange/index.js';
import { type Dialect, isFixedIdentifier, operationRow } from '../../spec/index.js';

/** A consent or payment in the path decides, whatever else is named; an account goes with its consent. */
export function namesFixed(call: Call, { parseScope }: Dialect): boolean {
  const { consentId, paymentId, authorisationId } = call.params;
  const resource = consentId ?? paymentId;
  if (resource !== undefined) return isFixedIdentifier(resource);
  const isOnAccounts = call.operation !== null && operationRow(call.operation).counted;
  const named = [
    authorisationId,
    isOnAccounts ? call.header['consent-id'] : undefined,
    queryValue(call, 'authorizationId'),
    parseScope(queryValue(call, 'scope') ?? '')?.id,
    ...(call.content.kind === 'form' ? call.content.fields.map(([, value]) => value) : []),
  ];
  return named.some((one) => one !== undefined && isFixedIdentifier(one));
}
