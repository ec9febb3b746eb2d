import { isUuid } from '../../spec/index.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/request-id-is-uuid',
  statement: 'X-Request-ID is a UUID (any version)',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ({ requestId }) => requestId,
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Banks refuse another form, and a made-up one may come twice.',
  fix: 'Make the id with a UUID function of your platform, any version.',
  examples: {
    complies: 'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    violates: 'X-Request-ID: 12345',
  },
  check: ({ call }) => {
    const id = call.header['x-request-id'];
    if (id === undefined || id === '') return 'not-applicable';
    return isUuid(id) || violation('header X-Request-ID', 'one UUID', id);
  },
});
