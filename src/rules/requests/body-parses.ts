import { expectedTypes, hasExpectedType } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/body-parses',
  statement: 'The body parses as its media type says',
  sources: ['RFC8259 2', 'RFC9110 8.3'],
  appliesTo: ({ body }) => body !== 'none',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A body that does not parse cannot be read at all.',
  fix: 'Make the body with a library for its media type, not by joining texts; check its encoding.',
  examples: { complies: '{"access":{}}', violates: '{"access":{}' },
  check: ({ call, options: { dialect } }) => {
    const { content } = call;
    switch (content.kind) {
      case 'json':
      case 'form':
        return true;
      case 'unparseable':
        // A wrong media type explains this, and requests/content-type reports it.
        if (!hasExpectedType(call, dialect)) return 'not-applicable';
        return violation(
          'body',
          expectedTypes(call, dialect).includes('application/json') ? 'JSON' : 'a form in UTF-8',
          `a body that cannot be read: ${content.problem}`,
        );
      case 'not-observed':
        return 'not-observed';
      default:
        return 'not-applicable';
    }
  },
});
