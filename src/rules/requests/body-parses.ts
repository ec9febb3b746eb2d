/** The body parses. */
import { CALLS_WITH_BODY } from '../checks/known-calls.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'requests/body-parses',
  statement: 'The body parses as its media type says',
  clauses: ['errors.1'],
  sources: [],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: CALLS_WITH_BODY,
  needs: [],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A body that does not parse cannot be read at all.',
  fix: 'Make the body with a JSON library, not by joining texts; check its encoding.',
  examples: { complies: '{"access":{}}', violates: '{"access":{}' },
  check: ({ call: { content } }) => {
    switch (content.kind) {
      case 'json':
      case 'form':
        return true;
      case 'unparseable':
        return { place: 'body', expected: 'JSON', actual: content.problem };
      case 'not-observed':
        return 'not-observed';
      default:
        return 'not-applicable';
    }
  },
});
