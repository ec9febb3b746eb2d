/** The discovery document tells a client all that it needs to go on. */
import { memberOf } from '../../exchange/index.js';
import { DISCOVERY_VALUES, discovery } from '../../spec/index.js';
import { isBankSuccess, mayHaveBody } from '../checks/bank-answer.js';
import { schemaViolations } from '../checks/schema-violations.js';
import { defineRule, type ExchangeContext, type Outcome, type Violation } from '../rule.js';

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
  sources: [],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  appliesTo: ['oauth.discovery'],
  needs: [],
  refusal: null,
  why: 'A client that configures itself from the document lacks an endpoint, or takes a flow for unsupported.',
  fix: 'Hold every field of the specification, each list with at least the values that it gives.',
  examples: {
    complies: '"code_challenge_methods_supported":["S256"]',
    violates: 'no authorization_endpoint; "grant_types_supported":["authorization_code"]',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  if (!isBankSuccess(context) || !mayHaveBody(context)) return 'not-applicable';
  const { content } = context.answer;
  if (content.kind === 'not-observed') return 'not-observed';
  if (content.kind !== 'json') {
    return {
      place: 'answer body',
      expected: 'a JSON body',
      actual: content.kind === 'none' ? 'absent' : 'no JSON',
    };
  }
  const violations = schemaViolations(discovery, content.value, 'answer body');
  for (const [field, values] of Object.entries(DISCOVERY_VALUES)) {
    violations.push(...missingValues(field, values, memberOf(content.value, field)));
  }
  return violations;
}

/** A list may hold more than the specification gives; it may not hold less. */
function missingValues(field: string, values: readonly string[], found: unknown): Violation[] {
  if (!Array.isArray(found)) return [];
  const missing = values.filter((value) => !found.includes(value));
  if (missing.length === 0) return [];
  return [
    { place: `answer body ${field}`, expected: values.join(', '), actual: `without ${missing.join(', ')}` },
  ];
}
