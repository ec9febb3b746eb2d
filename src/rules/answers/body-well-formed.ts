import { ANSWER_BODIES, type OperationId } from '../../spec/index.js';
import { hasBody } from '../checks/bank-answer.js';
import { type BodySchema, bodySchema, schemaViolations } from '../checks/schema-violations.js';
import { defineRule, type ExchangeContext, type Outcome, violation } from '../rule.js';

/** Reports and payment statuses come in other formats too, by Accept: camt, MT940, pain. */
const OTHER_FORMATS: ReadonlySet<OperationId> = new Set([
  'accounts.transactions',
  'payments.status',
  'payments.read',
]);

const BODIES = Object.fromEntries(
  Object.entries(ANSWER_BODIES).flatMap(([id, schema]) =>
    schema === null ? [] : [[id, bodySchema(schema)]],
  ),
) as Partial<Record<OperationId, BodySchema>>;

export default defineRule({
  id: 'answers/body-well-formed',
  statement: "The body of a success has the operation's required fields with their types",
  sources: ['BG'],
  judges: 'aspsp',
  // OAuth has rules of its own, with clauses of the specification for each field.
  appliesTo: hasBody,
  needs: ['bank-success', 'answer-body'],
  looksAt: 'answer',
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
  const schema = operation === null ? undefined : BODIES[operation];
  if (operation === null || schema === undefined) return 'not-applicable';
  const { content } = context.answer;
  switch (content.kind) {
    case 'json':
      return schemaViolations(schema, content.value, 'answer body');
    case 'not-observed':
      return 'not-observed';
    case 'unparseable':
      return violation('answer body', 'JSON that parses', `a body that cannot be read: ${content.problem}`);
    case 'none':
      return violation('answer body', 'a JSON body', 'absent');
    default:
      if (OTHER_FORMATS.has(operation)) return 'not-applicable';
      return violation(
        'answer header Content-Type',
        'application/json',
        context.answer.header['content-type'] ?? 'absent',
      );
  }
}
