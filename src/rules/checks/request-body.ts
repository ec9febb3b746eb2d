/** Reads the JSON of a request, and holds it against its schema. */
import {
  type Call,
  FORM_TYPE,
  isFingerprint,
  isJsonType,
  mediaType,
  memberOf,
  type Place,
} from '../../exchange/index.js';
import { operationRow } from '../../spec/index.js';
import { type Outcome, violation } from '../rule.js';
import { type BodySchema, schemaViolations } from './schema-violations.js';

export function bodyMember(call: Call, name: string, inner?: string): unknown {
  if (call.content.kind !== 'json') return undefined;
  const outer = memberOf(call.content.value, name);
  return inner === undefined ? outer : memberOf(outer, inner);
}

/** A member that is there: null counts as absent, as clients serialise unset members so. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A missing body is judged too. `judgedElsewhere` names the places that a rule of their own judges. */
export function judgeBody(call: Call, schema: BodySchema, judgedElsewhere: readonly Place[] = []): Outcome {
  switch (call.content.kind) {
    case 'none':
      return violation('body', 'a JSON object', 'no body');
    case 'not-observed':
      return 'not-observed';
    case 'json': {
      const violations = schemaViolations(schema, call.content.value, 'body');
      return violations.filter((violation) => !judgedElsewhere.includes(violation.place));
    }
    default:
      return 'not-applicable';
  }
}

/** The text of a member, where it is one and stands there in clear. */
export function clearText(call: Call, name: string): string | undefined {
  const text = bodyMember(call, name);
  return typeof text === 'string' && text !== '' && !isFingerprint(text) ? text : undefined;
}

export function expectedType(call: Call): 'application/json' | typeof FORM_TYPE {
  return call.operation !== null && operationRow(call.operation).body === 'form'
    ? FORM_TYPE
    : 'application/json';
}

export function hasExpectedType(call: Call): boolean {
  const type = mediaType(call.header['content-type']);
  return expectedType(call) === FORM_TYPE ? type === FORM_TYPE : isJsonType(type);
}
