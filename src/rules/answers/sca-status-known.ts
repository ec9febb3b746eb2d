/** An authorisation is in a status that clients know. */
import { memberOf } from '../../exchange/index.js';
import { SCA_STATUSES, SPECIFIED_SCA_STATUSES } from '../../spec/index.js';
import { readSuccess } from '../checks/bank-answer.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'answers/sca-status-known',
  statement: "scaStatus is one of the specification's (unconfirmed is tolerated)",
  clauses: ['states.authorisation'],
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'exchange',
  // A creation may carry the status of the authorisation that came with it.
  appliesTo: ({ tells }) => tells.includes('scaStatus'),
  needs: [],
  refusal: null,
  why: 'A client that polls the authorisation cannot tell whether the PSU is done.',
  fix: 'Answer with an authorisation status of the specification, in its spelling.',
  examples: { complies: '"scaStatus":"finalised"', violates: '"scaStatus":"finalized"' },
  check: (context) => {
    const body = readSuccess(context);
    if (typeof body === 'string') return body;
    const status = memberOf(body.value, 'scaStatus');
    // A missing one, another type or an empty text is for answers/body-well-formed.
    if (typeof status !== 'string' || status === '') return 'not-applicable';
    if (Object.hasOwn(SCA_STATUSES, status)) return true;
    return { place: 'answer body scaStatus', expected: SPECIFIED_SCA_STATUSES.join(', '), actual: status };
  },
});
