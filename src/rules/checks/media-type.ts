/** Whether a body comes as the media type that its operation reads. */
import { type Call, FORM_TYPE, isJsonType, mediaType } from '../../exchange/index.js';
import { operationRow } from '../../spec/index.js';

export function expectedType(call: Call): 'application/json' | typeof FORM_TYPE {
  return call.operation !== null && operationRow(call.operation).body === 'form'
    ? FORM_TYPE
    : 'application/json';
}

export function hasExpectedType(call: Call): boolean {
  const type = mediaType(call.header['content-type']);
  return expectedType(call) === FORM_TYPE ? type === FORM_TYPE : isJsonType(type);
}
