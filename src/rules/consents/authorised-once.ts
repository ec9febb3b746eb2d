import { consentOf, ownerOf } from '../../ledger/index.js';
import { judgeSecondAuthorisation } from '../checks/authorised-once.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'consents/authorised-once',
  statement: 'No second authorisation of a consent is created where one was created implicitly',
  clauses: ['creation.1', 'creation.2', 'endpoint.consents.authorisations.create'],
  appliesTo: ({ creates, on }) => creates === 'authorisation' && on === 'consent',
  refusal: { code: 'STATUS_INVALID' },
  why: 'The PSU would face two authorisations of one consent; the bank forbids it.',
  fix: 'Use the scaOAuth link of the creation while its authorisation lasts. After it has ended, create another consent; with TPP-Explicit-Authorisation-Preferred: true, a consent can be authorised in several tries.',
  examples: {
    complies:
      'POST …/consents/C/authorisations, after creating C with TPP-Explicit-Authorisation-Preferred: true',
    violates: 'the same after TPP-Explicit-Authorisation-Preferred: false, or without the header',
  },
  check: ({ call, ledger, options }) => {
    const id = call.params.consentId ?? '';
    return judgeSecondAuthorisation(consentOf(ledger, ownerOf(call), id), id, call.at, options);
  },
});
