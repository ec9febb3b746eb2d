import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/no-body-on-read',
  statement: 'GET and DELETE come without a body',
  sources: ['RFC9110 9.3.1', 'RFC9110 9.3.5'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ({ method }) => method === 'GET' || method === 'DELETE',
  why: 'Such a body has no meaning, and firewalls and load balancers on the way refuse or drop the request.',
  fix: 'Leave the body out, even an empty object. Some HTTP clients send one by default.',
  examples: { complies: 'GET …/accounts, without body', violates: 'DELETE …/consents/{consentId} with {}' },
  check: ({ call: { request } }) => {
    const size = request.body?.size ?? 0;
    return size === 0 || violation('body', 'no body', `${size} bytes`);
  },
});
