import { isCreation } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'answers/location-present',
  statement: 'A creation answers with Location',
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: isCreation,
  needs: ['bank-success'],
  looksAt: 'answer',
  why: 'Clients that follow HTTP look for the new resource there.',
  fix: 'Add a Location header with the address of the created resource.',
  examples: {
    complies: 'Location: /stdgroup/v1/consents/VALID_CONSENT_ID',
    violates: 'a 201 without Location',
  },
  check: ({ answer }) => {
    const { location } = answer.header;
    if (location !== undefined && location !== '') return true;
    return violation('answer header Location', 'the address of the created resource', 'absent');
  },
});
