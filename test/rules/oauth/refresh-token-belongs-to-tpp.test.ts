import rule from '../../../src/rules/oauth/refresh-token-belongs-to-tpp.js';
import { aCertificate, OTHER_TPP, organisation } from '../../builders.js';
import { aRefreshToken, ledgerOf } from '../ledger-of.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const ledger = ledgerOf(aRefreshToken());
const bound = ledgerOf(aRefreshToken({ certificate: 'another' }));
const literal = { client_id: 'VALID_CLIENT_ID' };
const byOther = { certificate: aCertificate({ organizationIdentifier: organisation(OTHER_TPP) }) };

testRule(rule, {
  complies: {
    'the organisation that got it': { call: refreshWith({}), ledger },
    'a renewed certificate of it': {
      call: refreshWith({}, { certificate: aCertificate({ fingerprint256: 'cd'.repeat(32) }) }),
      ledger,
    },
  },
  violates: {
    'a renewed certificate, at a bank that binds tokens to the certificate': {
      call: refreshWith({}, { certificate: aCertificate({ fingerprint256: 'cd'.repeat(32) }) }),
      ledger: bound,
      bank: { access: { boundTo: 'certificate' } },
      finds: [{ actual: 'a refresh token of another certificate of the same organisation' }],
    },
    'another organisation under the literal client id': {
      call: refreshWith(literal, byOther),
      ledger,
      finds: [{ place: 'body refresh_token', actual: 'a refresh token of another organisation' }],
    },
    'another organisation under its own client id': {
      call: refreshWith({ client_id: OTHER_TPP }, byOther),
      ledger,
    },
  },
  notApplicable: {
    'a client_id that does not fit the certificate, which another rule judges': {
      call: refreshWith({}, byOther),
      ledger,
    },
    'a code': { call: exchangeWith({}), ledger },
  },
  notObserved: {
    'one that was never handed out': { call: refreshWith({}) },
    'a HAR file': { call: refreshWith(literal, { certificate: 'not-observed' }), ledger },
  },
});
