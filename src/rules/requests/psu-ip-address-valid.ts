import { isKnown } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/psu-ip-address-valid',
  statement: 'PSU-IP-Address is an IPv4 or IPv6 address',
  clauses: ['limits.1', 'accounts.psu-ip-address'],
  sources: ['BG'],
  appliesTo: isKnown,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Only an address shows that the PSU is present and lifts the daily limit.',
  fix: 'Send one IPv4 or IPv6 address, without port or brackets. Leave the header out if the PSU is not present.',
  examples: { complies: 'PSU-IP-Address: 2001:db8::1', violates: 'PSU-IP-Address: localhost' },
  check: ({ call }) => {
    const address = call.header['psu-ip-address'];
    if (address === undefined) return 'not-applicable';
    return (
      call.request.hasPsuAddress ||
      violation('header PSU-IP-Address', 'one IPv4 or IPv6 address', address || 'empty')
    );
  },
});
