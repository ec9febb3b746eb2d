import { defineRule, violation } from '../rule.js';

const NO_STORE = /(?:^|,)\s*no-store\s*(?:,|$)/i;

export default defineRule({
  id: 'answers/token-not-cached',
  statement: 'Token answers carry Cache-Control: no-store',
  sources: ['RFC6749 5.1'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ['oauth.token'],
  needs: ['bank-success'],
  why: 'A cache on the way could keep the token and hand it out again.',
  fix: 'Send Cache-Control: no-store (and Pragma: no-cache) with every token.',
  examples: { complies: 'Cache-Control: no-store', violates: 'Cache-Control: private, max-age=60' },
  check: ({ answer }) => {
    const control = answer.header['cache-control'];
    if (control !== undefined && NO_STORE.test(control)) return true;
    return violation('answer header Cache-Control', 'no-store', control ?? 'absent');
  },
});
