import { ANSWER_BODIES, createCheck, type OperationId } from '../../spec/index.js';
import { hasBody } from '../checks/bank-answer.js';
import { schemaViolations } from '../checks/schema-violations.js';
import { defineRule, type ExchangeContext, type Outcome } from '../rule.js';

/** Reports and payment statuses come in other formats too, by Accept: camt, MT940, pain. */
const OTHER_FORMATS: ReadonlySet<OperationId> = new Set([
  'accounts.transactions',
  'payments.status',
  'payments.read',
]);

/** What most answers are is told without the copy that a schema makes. */
const FITS = Object.fromEntries(
  Object.entries(ANSWER_BODIES).flatMap(([id, schema]) =>
    schema === null ? [] : [[id, createCheck(schema)]],
  ),
) as Partial<Record<OperationId, (body: unknown) => boolean>>;

export default defineRule({
  id: 'answers/body-well-formed',
  statement: "The body of a success has the operation's required fields with their types",
  sources: ['BG'],
  judges: 'aspsp',
  // Those of OAuth have rules of their own, with clauses of the specification for each field.
  appliesTo: hasBody,
  needs: ['bank-success', 'answer-body'],
  dependsOn: ['answer.content', 'answer.type', 'call.operation'],
  why: 'A client that reads a required field finds nothing, or something of another type.',
  fix: 'Send every required field of the standard with its type.',
  examples: {
    complies: '{"consentStatus":"valid"} to GET /consents/{consentId}/status',
    violates: '{"status":"valid"} to GET /consents/{consentId}/status',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  const { operation } = context.call;
  const schema = operation === null ? null : ANSWER_BODIES[operation];
  if (operation === null || schema === null) return 'not-applicable';
  const { content } = context.answer;
  switch (content.kind) {
    case 'json':
      if (FITS[operation]?.(content.value) === true) return [];
      return schemaViolations(schema, content.value, 'answer body');
    case 'not-observed':
      return 'not-observed';
    case 'unparseable':
      return { place: 'answer body', expected: 'JSON that parses', actual: content.problem };
    case 'none':
      return { place: 'answer body', expected: 'a JSON body', actual: 'absent' };
    default:
      if (OTHER_FORMATS.has(operation)) return 'not-applicable';
      return {
        place: 'answer header Content-Type',
        expected: 'application/json',
        actual: context.answer.header['content-type'] ?? 'absent',
      };
  }
}
