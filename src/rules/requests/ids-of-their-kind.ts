import { isFingerprint } from '../../exchange/index.js';
import { mistakenBearer, mistakenConsentId, mistakenInPath } from '../checks/mistaken-ids.js';
import { defineRule, type Violation, violation } from '../rule.js';

export default defineRule({
  id: 'requests/ids-of-their-kind',
  statement:
    'Token, consent id and payment id are each in their own place, once, and no placeholder such as undefined',
  sources: ['BG'],
  appliesTo: ({ group, on }) => group === 'accounts' || on === 'consent' || on === 'payment',
  refusal: { code: 'RESOURCE_UNKNOWN', status: 403 },
  why: 'No bank knows a consent, payment or token with this value.',
  fix: 'Check the code that fills in the value: it used another variable, an empty one, or sent the header twice.',
  examples: {
    complies: 'Consent-Id: the consentId of POST /consents',
    violates: 'Consent-Id: the paymentId of POST /payments/…; Authorization: Bearer undefined',
  },
  check: (context) => {
    const { call, token } = context;
    const violations: Violation[] = [];
    const bearer = mistakenBearer(context);
    if (bearer !== undefined)
      violations.push({
        place: 'header Authorization',
        expected: 'Bearer and an access token',
        actual: bearer,
        refusal: { code: 'TOKEN_UNKNOWN' },
      });
    const header = call.params.paymentId === undefined ? mistakenConsentId(context) : undefined;
    if (header !== undefined)
      violations.push({
        place: 'header Consent-Id',
        expected: 'the id of one consent',
        actual: header,
        refusal: { code: 'CONSENT_UNKNOWN', status: 400 },
      });
    const inPath = mistakenInPath(context);
    if (inPath !== undefined)
      violations.push(
        call.params.consentId === undefined
          ? violation('path paymentId', 'the id of a payment', inPath)
          : {
              place: 'path consentId',
              expected: 'the id of a consent',
              actual: inPath,
              refusal: { code: 'CONSENT_UNKNOWN' },
            },
      );
    if (violations.length > 0) return violations;
    // The kind of a token that nobody gave out, and that is not in clear text, is unknown.
    const isHidden = token === undefined && isFingerprint(call.request.bearer ?? '');
    return isHidden ? 'not-observed' : true;
  },
});
