import type { Call } from '../../exchange/index.js';
import type { Dialect } from '../../spec/index.js';
import { found, isCreation } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

/** Whether the PSU is sent to the bank and back: the TPP may ask for another way where there is one. */
function comesBack({ header }: Call, { approaches }: Dialect): boolean {
  if (!approaches.has('oauth') && !approaches.has('redirect')) return false;
  return (
    header['tpp-redirect-preferred'] !== 'false' ||
    !(approaches.has('embedded') || approaches.has('decoupled'))
  );
}

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
  check: ({ call, options: { dialect } }) => {
    const { header, operation } = call;
    if (header['tpp-redirect-uri']) return true;
    const isOptional =
      dialect.headerIs('tpp-redirect-uri', operation) === 'optional' || !comesBack(call, dialect);
    if (header['tpp-redirect-uri'] === undefined && isOptional) return 'not-applicable';
    return violation(
      'header TPP-Redirect-URI',
      'the return address of the PSU',
      found(call, 'tpp-redirect-uri'),
    );
  },
});
