/** Reads a body with a wrong media type as its operation would, so that all its faults are reported at once. */
import { type Call, type Content, FORM_TYPE, isObject, readContent } from '../exchange/index.js';
import { type Dialect, operationRow } from '../spec/index.js';
import { expectedTypes, hasExpectedType } from './checks/request-body.js';

/** The call as rules look at it. Where the body cannot be read, or has the right media type, it is the call itself. */
export function withReadableBody(call: Call, dialect: Dialect): Call {
  const { body } = call.request;
  if (body === null || body.text === '' || body.base64 === true || body.truncated === true) return call;
  if (call.operation === null || operationRow(call.operation).body === 'none') return call;
  if (hasExpectedType(call, dialect)) return call;
  const content = expectedTypes(call, dialect).includes(FORM_TYPE) ? asForm(body) : asJson(body);
  return content === null ? call : call.sending(call.request.readAs(content));
}

type Text = NonNullable<Call['request']['body']>;

function asJson(body: Text): Content | null {
  const content = readContent(body, 'application/json');
  return content.kind === 'json' && isObject(content.value) ? content : null;
}

const NAMED = /^[a-z_]{1,40}=/;

function asForm(body: Text): Content | null {
  if (NAMED.test(body.text)) {
    const content = readContent(body, FORM_TYPE);
    return content.kind === 'form' ? content : null;
  }
  const json = asJson(body);
  if (json?.kind !== 'json') return null;
  const fields = Object.entries(json.value as object);
  if (!fields.every(([, value]) => typeof value === 'string')) return null;
  return { kind: 'form', fields };
}
