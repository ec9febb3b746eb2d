import { applyChanges, type LedgerState } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/oauth/refresh-token-current.js';
import { fingerprint } from '../../builders.js';
import { aRefreshToken, CONSENT, ledgerOf, REFRESH_TOKEN, underWay } from '../ledger-of.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const replaced = ledgerOf(aRefreshToken({ replacedBy: fingerprint('newer') }));

/** The token is being exchanged in another call. */
function beside(parts: Parameters<typeof aRefreshToken>[0]): LedgerState {
  const ledger = underWay(refreshWith({}));
  applyChanges(ledger, [aRefreshToken(parts)]);
  return ledger;
}

testRule(rule, {
  complies: { 'the newest': { call: refreshWith({}), ledger: ledgerOf(aRefreshToken()) } },
  violates: {
    'twice at once, of a bank that gives a new one each time': {
      call: refreshWith({}),
      ledger: beside({ rotated: true }),
    },
    'an old one after rotation': {
      call: refreshWith({}),
      ledger: replaced,
      finds: [
        {
          place: 'body refresh_token',
          expected: `the newest refresh token for AIS:${CONSENT}`,
          actual: 'an older refresh token, replaced since',
        },
      ],
    },
    'an old one, in a recording': {
      call: refreshWith({ refresh_token: fingerprint(REFRESH_TOKEN) }),
      ledger: replaced,
    },
  },
  notApplicable: {
    none: { call: refreshWith({ refresh_token: undefined }) },
    'a code': { call: exchangeWith({ refresh_token: REFRESH_TOKEN }), ledger: replaced },
  },
  notObserved: {
    'one that was never handed out': { call: refreshWith({}) },
    'twice at once, of a bank that may leave it as it is': { call: refreshWith({}), ledger: beside({}) },
  },
});
