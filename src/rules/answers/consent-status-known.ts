/** A consent is in a status that clients know. */
import { memberOf } from '../../exchange/index.js';
import { CONSENT_STATUSES, SPECIFIED_CONSENT_STATUSES } from '../../spec/index.js';
import { readSuccess } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/consent-status-known',
  statement: "consentStatus is one of the specification's (partiallyAuthorised is tolerated)",
  clauses: ['states.consent'],
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  appliesTo: ({ tells }) => tells.includes('consentStatus'),
  needs: [],
  refusal: null,
  why: 'A client cannot tell whether it may use a consent whose status it does not know.',
  fix: 'Answer with a status of the specification, in its spelling.',
  examples: { complies: '"consentStatus":"valid"', violates: '"consentStatus":"VALID"' },
  check: (context) => {
    const body = readSuccess(context);
    if (typeof body === 'string') return body;
    const status = memberOf(body.value, 'consentStatus');
    // A missing one, another type or an empty text is for answers/body-well-formed.
    if (typeof status !== 'string' || status === '') return 'not-applicable';
    if (Object.hasOwn(CONSENT_STATUSES, status)) return true;
    return {
      place: 'answer body consentStatus',
      expected: SPECIFIED_CONSENT_STATUSES.join(', '),
      actual: status,
    };
  },
});
