import { found } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/request-id-present',
  statement: 'X-Request-ID is present (not needed for token, authorize, discovery, notification simulation)',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ requestId }) => requestId,
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Without it neither side can find the call in its logs.',
  fix: 'Send X-Request-ID with a new UUID in every call.',
  examples: { complies: 'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721', violates: 'no X-Request-ID' },
  check: ({ call, options }) => {
    const id = call.header['x-request-id'];
    if (id) return true;
    if (id === undefined && options.dialect.headerIs('x-request-id', call.operation) === 'optional')
      return 'not-applicable';
    return violation('header X-Request-ID', 'a UUID', found(call, 'x-request-id'));
  },
});
