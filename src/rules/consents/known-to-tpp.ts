import { consentOf, mayBeUnseen } from '../../ledger/index.js';
import { sandboxConsent } from '../../spec/index.js';
import { mistakenInPath } from '../checks/mistaken-ids.js';
import { isOfOtherCertificate, ofOtherCertificate } from '../checks/other-certificate.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'consents/known-to-tpp',
  statement: 'The consent in the path was created by this TPP (or is a sandbox id)',
  clauses: [
    'endpoint.consents.read',
    'endpoint.consents.status',
    'endpoint.consents.delete',
    'endpoint.consents.authorisations.list',
    'endpoint.consents.authorisations.read',
    'sandbox-ids.consents',
    'errors.3',
  ],
  sources: ['BG'],
  appliesTo: ({ on }) => on === 'consent',
  needs: ['tpp'],
  refusal: { code: 'CONSENT_UNKNOWN' },
  why: 'A consent belongs to the TPP that created it; for any other it does not exist.',
  fix: 'Use the consentId of your own creation, with the certificate of the same organisation.',
  examples: {
    complies: 'GET …/consents/VALID_CONSENT_ID (sandbox)',
    violates: 'GET …/consents/C, where C was created by another organisation, or never',
  },
  check: (context) => {
    const { call, ledger, options } = context;
    const id = call.params.consentId ?? '';
    const fact = consentOf(ledger, call.tpp, id);
    if (isOfOtherCertificate(fact, context))
      return violation(
        'path consentId',
        'a consent that this certificate created',
        ofOtherCertificate('a consent'),
      );
    if (fact !== undefined) return true;
    if (options.profile === 'sandbox' && sandboxConsent(id) !== undefined) return true;
    if (mistakenInPath(context) !== undefined) return 'not-applicable';
    if (mayBeUnseen(ledger, 'consents', id)) return 'not-observed';
    return violation('path consentId', 'a consent that this TPP created', id);
  },
});
