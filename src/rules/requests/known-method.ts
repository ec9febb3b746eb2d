import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/known-method',
  statement: 'The path offers the method',
  sources: ['RFC9110 15.5.6'],
  appliesTo: 'all',
  refusal: { code: 'SERVICE_INVALID' },
  why: 'The path exists, but does not offer this method.',
  fix: 'Use a method that the finding names. A bank that answers another one with success offers more than this interface.',
  examples: { complies: 'DELETE …/consents/{consentId}', violates: 'PUT …/consents/{consentId}' },
  check: ({ call, options }) => {
    if (call.operation !== null || options.dialect.isBesideStandard(call.request.method, call.request.path))
      return true;
    if (call.allow === undefined) return 'not-applicable';
    return violation(
      'method',
      `${call.allow.join(' or ')}, which this interface offers here`,
      call.request.method,
    );
  },
});
