/** Authorisation ids are UUIDs. */
import { isUuid } from '../../spec/index.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'requests/id-form',
  statement: 'Authorisation ids in the path are UUIDs',
  clauses: ['sandbox-ids.authorisations'],
  sources: ['BG'],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: [
    'consents.authorisations.read',
    'payments.authorisations.read',
    'payments.cancellation-authorisations.read',
    'oauth.authorize',
  ],
  needs: [],
  refusal: { code: 'RESOURCE_UNKNOWN' },
  why: 'No authorisation has such an id.',
  fix: 'Use the authorisation id as it stands in the links of the answer that created it.',
  examples: {
    complies: '…/authorisations/11111111-1111-1111-1111-111111111111',
    violates: '…/authorisations/1',
  },
  check: ({ call }) => {
    const { authorisationId } = call.params;
    if (authorisationId === undefined) return 'not-applicable';
    return (
      isUuid(authorisationId) || {
        place: 'path authorisationId',
        expected: 'a UUID',
        actual: authorisationId,
      }
    );
  },
});
