import { noPsuAddressKind } from '../../spec/index.js';
import { isKnown } from '../checks/known-calls.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/psu-ip-address-plausible',
  statement:
    "PSU-IP-Address can be a PSU's: not loopback, private, link-local, multicast or unspecified (the TPP sent its own proxy's)",
  clauses: ['limits.1', 'accounts.psu-ip-address'],
  severity: { sandbox: 'note', production: 'should' },
  appliesTo: isKnown,
  looksAt: 'head',
  why: 'The bank weighs the risk by this address. An address of your own network says nothing about the PSU, or looks like fraud.',
  fix: "Take the PSU's address as your outermost proxy saw it (Forwarded, X-Forwarded-For), not from the connection inside your network.",
  examples: { complies: 'PSU-IP-Address: 198.51.100.17', violates: 'PSU-IP-Address: 10.0.0.7' },
  check: ({ call }) => {
    const address = call.header['psu-ip-address'];
    // Invalid addresses belong to requests/psu-ip-address-valid.
    if (address === undefined || !call.request.hasPsuAddress) return 'not-applicable';
    const kind = noPsuAddressKind(address);
    return (
      kind === undefined ||
      violation(
        'header PSU-IP-Address',
        'an address from which a PSU reaches the TPP over the internet',
        `${address}, which is ${kind}`,
      )
    );
  },
});
