import { found, isCreation } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/redirect-uri-present',
  statement: 'Consent and payment creation carry TPP-Redirect-URI',
  clauses: ['endpoint.consents.create', 'authorize.redirect_uri'],
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: isCreation,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot check where the authorisation sends the PSU, and production refuses it.',
  fix: 'Send TPP-Redirect-URI with the address that you will use as redirect_uri.',
  examples: { complies: 'TPP-Redirect-URI: https://tpp.example/cb', violates: 'no TPP-Redirect-URI' },
  check: ({ call, options }) =>
    options.dialect.headerIs('tpp-redirect-uri', call.operation) === 'optional'
      ? 'not-applicable'
      : Boolean(call.header['tpp-redirect-uri']) ||
        violation(
          'header TPP-Redirect-URI',
          'the return address of the PSU',
          found(call, 'tpp-redirect-uri'),
        ),
});
