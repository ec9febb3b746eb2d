import { DAY_MS } from '../../spec/index.js';
import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

const MOST_DAYS = 398;
/** QCP-w-psd2 (ETSI TS 119 495): for interfaces between machines, without the limit that browsers set. */
const POLICY_WITHOUT_LIMIT = '0.4.0.19495.3.1';

export default certificateRule({
  id: 'certificate/validity-within-398-days',
  statement: 'The certificate is valid for at most 398 days (its policy QCP-w-psd2 sets no such limit)',
  clauses: [],
  sources: ['CABF 6.3.2', 'ETSI TS 119 495'],
  severity: { sandbox: 'note', production: 'note' },
  why: 'Strict readers refuse website certificates that last longer, and a stolen key serves for as long.',
  fix: 'Order a certificate of 398 days or less, or one under the policy QCP-w-psd2 (0.4.0.19495.3.1).',
  examples: { complies: '397 days', violates: '730 days, without the policy QCP-w-psd2' },
  judge: ({ notBefore, notAfter, policies }) => {
    const days = (Date.parse(notAfter) - Date.parse(notBefore)) / DAY_MS;
    // Dates that cannot be read, or are reversed, are for certificate/within-validity.
    if (!(days > 0) || policies.includes(POLICY_WITHOUT_LIMIT)) return 'not-applicable';
    return (
      days <= MOST_DAYS ||
      violation(
        'certificate validity',
        `at most ${MOST_DAYS} days`,
        days < MOST_DAYS + 1 ? `a little more than ${MOST_DAYS} days` : `${Math.floor(days)} days`,
      )
    );
  },
});
