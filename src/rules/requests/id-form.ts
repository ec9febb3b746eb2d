import { authorisationOf } from '../../ledger/index.js';
import { isUuid } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/id-form',
  statement: 'Authorisation ids in the path are UUIDs',
  clauses: ['sandbox-ids.authorisations'],
  sources: ['BG'],
  appliesTo: ({ path }) => path.includes('{authorisationId}'),
  refusal: { code: 'RESOURCE_UNKNOWN' },
  why: 'No authorisation has such an id.',
  fix: 'Use the authorisation id as it stands in the links of the answer that created it.',
  examples: {
    complies: '…/authorisations/11111111-1111-1111-1111-111111111111',
    violates: '…/authorisations/1',
  },
  check: (context) => {
    const { authorisationId } = context.call.params;
    if (authorisationId === undefined) return 'not-applicable';
    if (isUuid(authorisationId)) return true;
    // A bank may name its authorisations otherwise, and then so must the TPP.
    if (authorisationOf(context.ledger, authorisationId) !== undefined) return 'not-applicable';
    return unlessGiven(context, [violation('path authorisationId', 'a UUID', authorisationId)]);
  },
});
