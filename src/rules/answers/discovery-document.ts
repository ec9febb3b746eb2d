import { DISCOVERY_VALUES, discovery } from '../../spec/index.js';
import { answerMember, judgeJson } from '../checks/bank-answer.js';
import { bodySchema } from '../checks/schema-violations.js';
import { defineRule, type ExchangeContext, type Outcome, type Violation, violation } from '../rule.js';

const DOCUMENT = bodySchema(discovery);

export default defineRule({
  id: 'answers/discovery-document',
  statement: 'The discovery document holds every field of the specification with its fixed values',
  clauses: [
    'discovery.issuer',
    'discovery.authorization_endpoint',
    'discovery.token_endpoint',
    'discovery.userinfo_endpoint',
    'discovery.scopes_supported',
    'discovery.response_types_supported',
    'discovery.grant_types_supported',
    'discovery.code_challenge_methods_supported',
    'discovery.subject_types_supported',
    'endpoint.oauth.discovery',
  ],
  judges: 'aspsp',
  appliesTo: ['oauth.discovery'],
  needs: ['bank-success', 'answer-body'],
  looksAt: 'answer',
  why: 'A client that configures itself from the document lacks an endpoint, or takes a flow for unsupported.',
  fix: 'Include every field of the specification, and in each list at least its values.',
  examples: {
    complies: '"code_challenge_methods_supported":["S256"]',
    violates: 'no authorization_endpoint; "grant_types_supported":["authorization_code"]',
  },
  check,
});

function check({ answer }: ExchangeContext): Outcome {
  const found = judgeJson(answer.content, DOCUMENT, 'answer body');
  if (typeof found === 'string') return found;
  const missing = Object.entries(DISCOVERY_VALUES).flatMap(([field, values]) =>
    missingValues(field, values, answerMember(answer, field)),
  );
  return [...found, ...missing];
}

/** A list may hold more than the specification gives; it may not hold less. */
function missingValues(field: string, values: readonly string[], found: unknown): Violation[] {
  if (!Array.isArray(found)) return [];
  const missing = values.filter((value) => !found.includes(value));
  if (missing.length === 0) return [];
  return [violation(`answer body ${field}`, values.join(', '), `a list without ${missing.join(', ')}`)];
}
