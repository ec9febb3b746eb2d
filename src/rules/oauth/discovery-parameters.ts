import { queryValue } from '../../exchange/index.js';
import { authorisationOf } from '../../ledger/index.js';
import { isUuid } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { parameterFaults } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

const REQUIRED = ['authorizationId'];

export default defineRule({
  id: 'oauth/discovery-parameters',
  statement: 'The discovery document is asked for with authorizationId, once, a UUID',
  clauses: ['endpoint.oauth.discovery', 'authorize.link.discovery'],
  appliesTo: ['oauth.discovery'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which authorisation the document is for, so it cannot name an authorization_endpoint.',
  fix: 'GET the scaOAuth link of the creation unchanged.',
  examples: {
    complies: '…/openid-configuration?authorizationId=22222222-2222-2222-2222-222222222222',
    violates: '…/openid-configuration',
  },
  check: (context) => {
    const { call, ledger } = context;
    const { query } = call.request;
    const { queryIs } = context.options.dialect;
    if (query.length === 0 && queryIs('authorizationId', call.operation) === 'optional')
      return 'not-applicable';
    const [fault] = parameterFaults(query, REQUIRED, [], 'query');
    if (fault !== undefined) return unlessGiven(context, [fault]);
    // Text after a second question mark belongs to oauth/discovery-read-first.
    const id = queryValue(call, 'authorizationId')?.split('?', 1)[0] ?? '';
    if (isUuid(id)) return true;
    if (authorisationOf(ledger, id) !== undefined) return 'not-applicable';
    return unlessGiven(context, [violation('query authorizationId', 'a UUID', id)]);
  },
});
