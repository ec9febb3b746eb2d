import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'answers/request-id-echoed',
  statement: 'X-Request-ID of the call is echoed',
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ requestId }) => requestId,
  needs: ['bank-answer'],
  why: 'Without the echo, TPP and bank cannot find the same call in their logs.',
  fix: 'Send the X-Request-ID of the request back on every answer, errors included.',
  examples: {
    complies: 'X-Request-ID: 99391c7e-… in the request, X-Request-ID: 99391c7e-… in the answer',
    violates: 'an answer without X-Request-ID, or with one of its own',
  },
  check: ({ call, answer }) => {
    const sent = call.header['x-request-id'];
    // An empty one is a fault of the client, and nothing to echo.
    if (sent === undefined || sent === '') return 'not-applicable';
    const echoed = answer.header['x-request-id'];
    // The letter case of a UUID has no meaning; some platforms normalise it.
    if (echoed?.toLowerCase() === sent.toLowerCase()) return true;
    return violation('answer header X-Request-ID', sent, echoed ?? 'absent');
  },
});
