import rule from '../../../src/rules/oauth/token-client-id.js';
import { aCertificate, OTHER_TPP, organisation, TPP } from '../../builders.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const production = { profile: 'production' } as const;
const literal = { client_id: 'VALID_CLIENT_ID' };

testRule(rule, {
  complies: {
    'that of the certificate': { call: exchangeWith({}) },
    'the literal id of the sandbox': { call: refreshWith(literal) },
    'a renewed certificate of the same organisation': {
      call: refreshWith({}, { certificate: aCertificate({ fingerprint256: 'cd'.repeat(32) }) }),
    },
  },
  violates: {
    'another organisation': {
      call: exchangeWith({ client_id: OTHER_TPP }),
      finds: [{ place: 'body client_id', expected: `${TPP}, or VALID_CLIENT_ID`, actual: OTHER_TPP }],
    },
    'the literal id in production': {
      call: exchangeWith(literal),
      options: production,
      finds: [{ expected: TPP }],
    },
    'the certificate of another organisation': {
      call: exchangeWith(
        {},
        { certificate: aCertificate({ organizationIdentifier: organisation(OTHER_TPP) }) },
      ),
    },
  },
  notApplicable: {
    'none, which another rule judges': { call: exchangeWith({ client_id: undefined }) },
    'a certificate that names no organisation': {
      call: exchangeWith({}, { certificate: aCertificate({ organizationIdentifier: null }) }),
    },
    'no certificate': { call: exchangeWith({}, { certificate: 'absent' }) },
  },
  notObserved: { 'a HAR file': { call: exchangeWith({}, { certificate: 'not-observed' }) } },
});
