import { isCreation } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/psu-ip-address-present',
  statement: 'Consent and payment creation carry PSU-IP-Address',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: isCreation,
  looksAt: 'head',
  why: 'The bank cannot weigh the risk of the request; many refuse it.',
  fix: 'Send PSU-IP-Address with the address from which the PSU reaches your service.',
  examples: { complies: 'PSU-IP-Address: 192.0.2.17', violates: 'no PSU-IP-Address' },
  // An empty one is there, and no address: requests/psu-ip-address-valid.
  check: ({ call, options }) => {
    if (call.header['psu-ip-address'] !== undefined) return true;
    if (options.dialect.headerIs('psu-ip-address', call.operation) === 'optional') return 'not-applicable';
    return violation('header PSU-IP-Address', 'the IP address of the PSU', 'absent');
  },
});
