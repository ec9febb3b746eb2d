import { expect, it } from 'vitest';
import { advance, applyChanges, createLedger, reserve, useFact } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/requests/request-id-fresh.js';
import {
  aCall,
  aCertificate,
  anExchange,
  type CallParts,
  fingerprint,
  NOW,
  OTHER_TPP,
  organisation,
  REQUEST_ID,
} from '../../builders.js';
import { underWay, underWayElsewhere } from '../ledger-of.js';
import { testRule } from '../rule-tester.js';

const other = aCertificate({ organizationIdentifier: organisation(OTHER_TPP) });
const creation = (body: unknown) => ({ operation: 'consents.create' as const, body });

function ledgerAfter(call: CallParts) {
  const ledger = createLedger();
  applyChanges(ledger, advance(ledger, anExchange({ call, answer: { status: 404 } }), fingerprint));
  return ledger;
}

testRule(rule, {
  complies: {
    'never seen': {},
    'the very same request, under way': { ledger: underWay({}) },
    'the very same request, under way at another gateway': { ledger: underWayElsewhere({}) },
    'the same id, but for its letter case, where it is no UUID': {
      call: { headers: { 'X-Request-ID': 'ABC' }, params: { consentId: 'C2' } },
      ledger: ledgerAfter({ headers: { 'X-Request-ID': 'abc' } }),
    },
    'the very same request with its token again': {
      call: { headers: { Authorization: 'Bearer a', 'Consent-Id': 'C1' } },
      ledger: ledgerAfter({ headers: { Authorization: 'Bearer a', 'Consent-Id': 'C1' } }),
    },
    'the very same request again': { ledger: ledgerAfter({}) },
    'the same creation again': { call: creation({ a: 1 }), ledger: ledgerAfter(creation({ a: 1 })) },
    'the id of another TPP': { ledger: ledgerAfter({ certificate: other, params: { consentId: 'C2' } }) },
  },
  violates: {
    'another path, while the first is under way': {
      call: { params: { consentId: 'C2' } },
      ledger: underWay({}),
    },
    'another path, while the first is under way at another gateway': {
      call: { params: { consentId: 'C2' } },
      ledger: underWayElsewhere({}),
    },
    'another path, the same UUID in capitals': {
      call: { headers: { 'X-Request-ID': REQUEST_ID.toUpperCase() }, params: { consentId: 'C2' } },
      ledger: ledgerAfter({}),
    },
    'another path': {
      call: { params: { consentId: 'C2' } },
      ledger: ledgerAfter({}),
      finds: [{ place: 'header X-Request-ID' }],
    },
    'another consent': {
      call: { headers: { 'Consent-Id': 'C2' } },
      ledger: ledgerAfter({ headers: { 'Consent-Id': 'C1' } }),
    },
    'another token': {
      call: { headers: { Authorization: 'Bearer b' } },
      ledger: ledgerAfter({ headers: { Authorization: 'Bearer a' } }),
    },
    'another token, while the first is under way at another gateway': {
      call: { headers: { Authorization: 'Bearer b' } },
      ledger: underWayElsewhere({ headers: { Authorization: 'Bearer a' } }),
    },
    'another body': { call: creation({ a: 2 }), ledger: ledgerAfter(creation({ a: 1 })) },
  },
  notApplicable: {
    absent: { call: { headers: { 'X-Request-ID': undefined } } },
    'nobody knows who calls': { call: { certificate: 'absent' } },
  },
});

it('has nothing of a path told to other gateways, in which there may be a secret', () => {
  const call = aCall({ params: { consentId: 'a-token-put-here' } });
  expect(call.request.digest).toContain('a-token-put-here');
  const fact = useFact(call, reserve(createLedger(), call, fingerprint), NOW);
  expect(JSON.stringify(fact)).not.toContain('a-token-put-here');
});
