import { expectedTypes, hasExpectedType } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/content-type',
  statement:
    'A body comes with its media type: JSON, or form for token; parameters such as charset are allowed',
  clauses: ['endpoint.oauth.token', 'errors.1'],
  sources: ['RFC9110 8.3'],
  appliesTo: ({ body }) => body !== 'none',
  refusal: { code: 'FORMAT_ERROR', status: 415 },
  why: 'A body of another media type is not read.',
  fix: 'Send the body and its Content-Type in the form that the operation takes: the token endpoint a form (application/x-www-form-urlencoded), all others JSON (application/json).',
  examples: {
    complies: 'Content-Type: application/json; charset=UTF-8',
    violates: 'Content-Type: text/plain',
  },
  remedyFor: (expected) => ({
    fix: `Send the body in the form that this operation takes, with its Content-Type: ${expected}.`,
    complies: `Content-Type: ${expected.split(' or ', 1)[0]}`,
  }),
  check: ({ call, options: { dialect } }) => {
    const { body } = call.request;
    if (call.operation === null || body === null || body.size === 0) return 'not-applicable';
    if (hasExpectedType(call, dialect)) return true;
    const expected = expectedTypes(call, dialect).join(' or ');
    return violation('header Content-Type', expected, call.header['content-type'] ?? 'absent');
  },
});
