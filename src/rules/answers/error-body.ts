import { memberOf } from '../../exchange/index.js';
import { oauthError, problem, tppMessages } from '../../spec/index.js';
import { bodySchema, schemaViolations } from '../checks/schema-violations.js';
import { defineRule, type ExchangeContext, type Outcome, violation } from '../rule.js';

const WITHOUT_BODY: ReadonlySet<number> = new Set([408, 415, 500, 503]);

const OAUTH_ERROR = bodySchema(oauthError);
const PROBLEM = bodySchema(problem);
const TPP_MESSAGES = bodySchema(tppMessages);

export default defineRule({
  id: 'answers/error-body',
  statement: 'An error carries tppMessages or problem+json; the token endpoint an RFC 6749 body',
  sources: ['BG', 'RFC6749 5.2'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: 'all',
  needs: ['bank-error', 'answer-body'],
  looksAt: 'answer',
  why: 'With an empty or HTML body, the TPP must guess what to correct.',
  fix: 'Send tppMessages (or application/problem+json) with category and code; from the token endpoint a JSON with error.',
  examples: {
    complies: '{"tppMessages":[{"category":"ERROR","code":"CONSENT_UNKNOWN"}]}',
    violates: 'a 401 with an empty body; a 400 with an HTML page',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  const { call, answer } = context;
  // The PSU's browser is shown a page.
  if (call.operation === 'oauth.authorize' || call.listener === 'psu' || isBesideInterface(context))
    return 'not-applicable';
  const { content } = answer;
  if (content.kind === 'none' && WITHOUT_BODY.has(answer.status)) return 'not-applicable';
  switch (content.kind) {
    case 'json':
      return judgeBody(content.value, call.operation === 'oauth.token', answer.status);
    case 'not-observed':
      return 'not-observed';
    case 'none':
      return violation('answer body', expectationFor(call.operation), 'absent');
    default:
      return violation(
        'answer body',
        expectationFor(call.operation),
        content.kind === 'unparseable'
          ? `a body that cannot be read: ${content.problem}`
          : (answer.header['content-type'] ?? 'no media type'),
      );
  }
}

function expectationFor(operation: ExchangeContext['call']['operation']): string {
  return operation === 'oauth.token'
    ? 'a JSON object with error (RFC 6749 5.2)'
    : 'tppMessages or problem+json';
}

function judgeBody(value: unknown, token: boolean, status: number): Outcome {
  const messages = memberOf(value, 'tppMessages');
  if (token && !(messages !== undefined && isBeforeToken(messages, status))) {
    return schemaViolations(OAUTH_ERROR, value, 'answer body');
  }
  if (messages === undefined && memberOf(value, 'type') !== undefined) {
    return schemaViolations(PROBLEM, value, 'answer body');
  }
  return schemaViolations(TPP_MESSAGES, value, 'answer body');
}

/** Certificate and HTTP are refused at the door, before it matters which endpoint was meant. */
function isBeforeToken(messages: unknown, status: number): boolean {
  if (status !== 400 && status !== 401) return true;
  const first = Array.isArray(messages) ? memberOf(messages[0], 'code') : undefined;
  return typeof first === 'string' && (first.startsWith('CERTIFICATE_') || first === 'ROLE_INVALID');
}

/** A call that the bank offers beside the standard, or an unknown path that does not even lie below the segment of the interface. */
function isBesideInterface({ call, options }: ExchangeContext): boolean {
  if (call.operation !== null) return false;
  if (options.dialect.isBesideStandard(call.request.method, call.request.path)) return true;
  if (call.allow !== undefined) return false;
  return options.dialect.startOf(call.request.path) < 0;
}
