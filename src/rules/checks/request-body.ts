/** Reads the JSON of a request, and holds it against its schema. */
import { type Call, FORM_TYPE, isJsonType, mediaType, memberOf, type Place } from '../../exchange/index.js';
import { type Dialect, operationRow } from '../../spec/index.js';
import { type CallContext, type Outcome, violation } from '../rule.js';
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
export function judgeBody(
  { call, options }: CallContext,
  schema: BodySchema,
  judgedElsewhere: readonly Place[] = [],
): Outcome {
  switch (call.content.kind) {
    case 'none':
      return violation('body', 'a JSON object', 'no body');
    case 'not-observed':
      return 'not-observed';
    case 'json': {
      const { value } = call.content;
      const { required, optional } = options.dialect.bodyMembers(call.operation);
      const free = optional
        .filter((name) => memberAt(value, name) === undefined)
        .map((name) => `body ${name}`);
      const violations = schemaViolations(schema, value, 'body');
      for (const name of required)
        if (!isPresent(memberAt(value, name)) && !violations.some(({ place }) => place === `body ${name}`))
          violations.push(violation(`body ${name}`, 'a value, which this bank requires', 'absent'));
      return violations.filter(({ place }) => !judgedElsewhere.includes(place) && !free.includes(place));
    }
    default:
      return 'not-applicable';
  }
}

/** A member by its path, such as `creditorAddress.country`. */
export const memberAt = (value: unknown, path: string): unknown => path.split('.').reduce(memberOf, value);

const JSON_TYPE = 'application/json';
const FORM = [FORM_TYPE] as const;
const JSON_ONLY = [JSON_TYPE] as const;

/** Media types that the bank takes of a call. */
export function expectedTypes({ operation, params }: Call, { productOf }: Dialect): readonly string[] {
  if (operation === null) return JSON_ONLY;
  const { body, creates } = operationRow(operation);
  if (body === 'form') return FORM;
  if (creates !== 'payment') return JSON_ONLY;
  return productOf(params.paymentService, params.paymentProduct)?.media ?? JSON_ONLY;
}

export function hasExpectedType(call: Call, dialect: Dialect): boolean {
  const type = mediaType(call.header['content-type']);
  return expectedTypes(call, dialect).some((one) => (one === JSON_TYPE ? isJsonType(type) : type === one));
}
