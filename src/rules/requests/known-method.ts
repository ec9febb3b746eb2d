import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/known-method',
  statement: 'The method is one that the path offers',
  sources: ['RFC9110 15.5.6'],
  appliesTo: 'all',
  refusal: { code: 'SERVICE_INVALID' },
  why: 'The path exists, but does not offer this method.',
  fix: 'Use the method that the finding names; a bank that answers another one with a success may offer more than this interface.',
  examples: { complies: 'DELETE …/consents/{consentId}', violates: 'PUT …/consents/{consentId}' },
  check: ({ call }) => {
    if (call.operation !== null) return true;
    if (call.allow === undefined) return 'not-applicable';
    return violation(
      'method',
      `${call.allow.join(' or ')}, which this interface offers here`,
      call.request.method,
    );
  },
});
