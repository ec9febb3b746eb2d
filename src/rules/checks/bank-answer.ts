/** The common parts of rules about the bank's answers. */
import { type Answer, type Call, memberOf } from '../../exchange/index.js';
import {
  ANSWER_BODIES,
  type OperationId,
  type OperationRow,
  STATUSES,
  type StatusMember,
} from '../../spec/index.js';
import { type ExchangeContext, type Outcome, violation } from '../rule.js';
import { type BodySchema, schemaViolations } from './schema-violations.js';

/** Calls of the Berlin Group's interface whose success has a body. */
export const hasBody = ({ group }: OperationRow, id: OperationId): boolean =>
  ANSWER_BODIES[id] !== null && group !== 'oauth';

export function answerMember({ content }: Answer, name: string): unknown {
  return content.kind === 'json' ? memberOf(content.value, name) : undefined;
}

export function judgeStatus({ answer, options }: ExchangeContext, member: StatusMember): Outcome {
  const status = answerMember(answer, member);
  // A missing one, another type or an empty text is for answers/body-well-formed.
  if (typeof status !== 'string' || status === '') return 'not-applicable';
  const { life, specified } = STATUSES[member];
  if (Object.hasOwn(life, status) || options.dialect.isFurtherStatus(member, status)) return true;
  return violation(`answer body ${member}`, specified.join(', '), status);
}

/** Holds a body that must be there, and JSON, against its schema. */
export function judgeJson(content: Call['content'], schema: BodySchema, place: 'body' | 'answer body') {
  if (content.kind === 'json') return schemaViolations(schema, content.value, place);
  if (content.kind === 'not-observed') return content.kind;
  return [violation(place, 'a JSON body', content.kind === 'none' ? 'absent' : 'no JSON')];
}
