import rule from '../../../src/rules/oauth/refresh-token-current.js';
import { fingerprint } from '../../builders.js';
import { aRefreshToken, CONSENT, ledgerOf, REFRESH_TOKEN } from '../ledger-of.js';
import { exchangeWith, refreshWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const replaced = ledgerOf(aRefreshToken({ replacedBy: fingerprint('newer') }));

testRule(rule, {
  complies: [{ name: 'the newest', call: refreshWith({}), ledger: ledgerOf(aRefreshToken()) }],
  violates: [
    {
      name: 'an old one after rotation',
      call: refreshWith({}),
      ledger: replaced,
      finds: [
        {
          place: 'body refresh_token',
          expected: `the newest refresh token for AIS:${CONSENT}`,
          actual: 'an older one, replaced since',
        },
      ],
    },
    {
      name: 'an old one, in a recording',
      call: refreshWith({ refresh_token: fingerprint(REFRESH_TOKEN) }),
      ledger: replaced,
    },
  ],
  notApplicable: [
    { name: 'none', call: refreshWith({ refresh_token: undefined }) },
    { name: 'a code', call: exchangeWith({ refresh_token: REFRESH_TOKEN }), ledger: replaced },
  ],
  notObserved: [{ name: 'one that was never handed out', call: refreshWith({}) }],
});
