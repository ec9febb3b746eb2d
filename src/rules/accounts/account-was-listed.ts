import { isIban } from '../../spec/index.js';
import { consentIdOf } from '../checks/account-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/account-was-listed',
  statement: 'The account id is one that a list of accounts returned under this consent',
  clauses: ['endpoint.accounts.read', 'endpoint.accounts.balances', 'sandbox-ids.account', 'errors.4'],
  sources: ['BG'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: ({ on }) => on === 'account',
  why: 'An id that no list returned was guessed, comes from another consent, or is an IBAN in the wrong place.',
  fix: 'Use the resourceId from GET /accounts, never the IBAN.',
  examples: { complies: 'GET …/accounts/{resourceId of the list}', violates: 'GET …/accounts/{IBAN}' },
  check: ({ call, consent }) => {
    const id = consentIdOf(call);
    const { accountId } = call.params;
    if (id === undefined || accountId === undefined) return 'not-applicable';
    if (consent?.accounts?.includes(accountId)) return true;
    if (consent?.accounts == null || consent.moreAccounts === true) return 'not-observed';
    const listed = `GET /accounts listed under consent ${id.slice(0, 60)}`;
    const expected = isIban(accountId)
      ? `a resourceId, not an IBAN, that ${listed}`
      : `an account that ${listed}`;
    return violation('path accountId', expected, accountId);
  },
});
