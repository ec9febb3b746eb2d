import { codeKey, codeOf, keyOf, ownerOf, usesOf } from '../../ledger/index.js';
import { sandboxCodeScope } from '../../spec/index.js';
import { formOnce } from '../checks/parameters.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'oauth/code-used-once',
  statement:
    "The code was not exchanged before (a note for the sandbox's literal codes, under profile sandbox)",
  clauses: ['sandbox-ids.codes'],
  sources: ['RFC6749 4.1.2'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: ['oauth.token'],
  needs: ['grant:authorization_code'],
  refusal: { token: 'invalid_grant' },
  why: 'A code that comes again may be stolen. A bank then also revokes its tokens.',
  fix: 'Exchange each code once, keep the tokens, and use the refresh token later on. If the bank has ended the tokens of this code, let the PSU authorise again.',
  examples: { complies: 'a code fresh from the redirect', violates: 'the code of an earlier exchange' },
  check: (context) => {
    const code = formOnce(context.call, 'code');
    if (code === undefined) return 'not-applicable';
    const { options, ledger, fingerprint, call } = context;
    const key = codeKey(code, fingerprint);
    const tpp = ownerOf(call);
    const fact = codeOf(ledger, key, tpp);
    const usedAt =
      fact?.usedAt ??
      usesOf(ledger, keyOf.use('code', tpp === null ? key : keyOf.codeOfTpp(key, tpp)))[0]?.at;
    const isLiteral = sandboxCodeScope(code) !== undefined;
    if (usedAt === undefined) return fact === undefined && !isLiteral ? 'not-observed' : true;
    return {
      place: 'body code',
      expected: 'a code that was not exchanged before',
      actual: `a code exchanged at ${new Date(usedAt).toISOString()}`,
      ...(isLiteral && options.profile === 'sandbox' ? { atMost: 'note' as const } : {}),
    };
  },
});
