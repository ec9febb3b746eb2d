import { mayBeUnseen } from '../../ledger/index.js';
import { consentIdOf, isUnknownConsent } from '../checks/account-calls.js';
import { mistakenConsentId } from '../checks/mistaken-ids.js';
import { isOfOtherCertificate, ofOtherCertificate } from '../checks/other-certificate.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/consent-known',
  statement: 'The consent in the header was created by this TPP (or is a sandbox id)',
  clauses: ['accounts.headers', 'endpoint.accounts.list'],
  sources: ['BG'],
  appliesTo: ({ group }) => group === 'accounts',
  isAsked: ({ dialect }) => dialect.hasConsents,
  needs: ['tpp'],
  refusal: { code: 'CONSENT_UNKNOWN', status: 400 },
  why: 'A consent belongs to the TPP that created it; for any other it does not exist.',
  fix: 'Send the consentId of your own creation, with the certificate of the same organisation.',
  examples: {
    complies: 'Consent-Id: VALID_CONSENT_ID (sandbox)',
    violates: 'Consent-Id: C, where C was created by another organisation, or never',
  },
  check: (context) => {
    const { call, consent, ledger, token, options } = context;
    const id = consentIdOf(call);
    if (id === undefined) return 'not-applicable';
    if (isOfOtherCertificate(consent, context)) {
      // accounts/token-belongs-to-tpp names the same fault.
      if (isOfOtherCertificate(token, context)) return 'not-applicable';
      return violation(
        'header Consent-Id',
        'a consent that this certificate created',
        ofOtherCertificate('a consent'),
      );
    }
    if (!isUnknownConsent(id, context)) return true;
    if (mistakenConsentId(context) !== undefined) return 'not-applicable';
    // A recording that does not hold certificates may begin after the creation.
    if (call.certificate === 'not-observed' || mayBeUnseen(ledger, 'consents', id)) return 'not-observed';
    // Token and consent belong together, only the certificate is another's: accounts/token-belongs-to-tpp.
    const isOthers = token !== undefined && token.tpp !== call.tpp;
    if (isOthers && options.dialect.parseScope(token.scope)?.id === id) return 'not-applicable';
    return violation('header Consent-Id', 'a consent that this TPP created', id);
  },
});
