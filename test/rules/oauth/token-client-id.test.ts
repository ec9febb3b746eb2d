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
    'a client secret in the header, which weighs as a note': {
      call: exchangeWith({}, { headers: { Authorization: 'Basic aWQ6c2VjcmV0' } }),
      finds: [{ place: 'header Authorization', actual: 'Basic, with a client secret', atMost: 'note' }],
    },
    'a client secret in the form, beside another client': {
      call: exchangeWith({ client_id: OTHER_TPP, client_secret: 's' }),
      finds: [{ place: 'body client_secret', atMost: 'note' }, { place: 'body client_id' }],
    },
    'a client secret without client_id': {
      call: exchangeWith({ client_id: undefined }, { headers: { Authorization: 'basic aWQ6c2VjcmV0' } }),
      finds: [{ place: 'header Authorization', atMost: 'note' }],
    },
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
