import { onceOf } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'oauth/response-type',
  statement: 'response_type is code',
  clauses: ['authorize.response_type'],
  sources: ['RFC6749 4.1.1'],
  appliesTo: ['oauth.authorize'],
  refusal: { redirect: 'unsupported_response_type' },
  why: 'The interface has only the authorization-code flow.',
  fix: 'Send response_type=code.',
  examples: { complies: 'response_type=code', violates: 'response_type=token' },
  check: ({ call, options }) => {
    const type = onceOf(call.request.query, 'response_type');
    if (type === undefined) return 'not-applicable';
    if (options.dialect.profile?.oauth?.responseTypes?.includes(type) === true) return true;
    return type === 'code' || violation('query response_type', 'code', type);
  },
});
