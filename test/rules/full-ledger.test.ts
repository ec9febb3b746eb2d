/** A ledger that was full has dropped its oldest facts: what it does not know any more is held against nobody. */
import { expect, it } from 'vitest';
import {
  createLedger,
  isWhole,
  LEDGER_CAPS,
  type LedgerFamily,
  type LedgerState,
} from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { aCall, type CallParts, fingerprint, judgeOptions } from '../builders.js';
import { AUTHORISATION, REDIRECT_URI } from './ledger-of.js';

const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
const account = { headers: { 'Consent-Id': 'long-ago', Authorization: 'Bearer long-ago' } };

/** As many facts of a family as are left when it has dropped some, or as may be there when it has not. */
function filled(family: LedgerFamily, isFull: boolean): LedgerState {
  const ledger = createLedger();
  const count = (LEDGER_CAPS[family] / 16) * 15 + (isFull ? 1 : 0);
  for (let i = 0; i < count; i++) ledger[family].putText(String(i), '{}');
  return ledger;
}

it.each<[rule: string, family: LedgerFamily, call: CallParts]>([
  ['consents/known-to-tpp', 'consents', { operation: 'consents.read', params: { consentId: 'long-ago' } }],
  [
    'payments/known-to-tpp',
    'payments',
    {
      operation: 'payments.read',
      params: { paymentId: 'long-ago', paymentProduct: 'sepa-credit-transfers' },
    },
  ],
  ['accounts/token-known', 'tokens', { operation: 'accounts.list', ...account }],
  ['accounts/consent-known', 'consents', { operation: 'accounts.list', ...account }],
  [
    'oauth/scope-names-created-resource',
    'consents',
    {
      ...{ operation: 'oauth.authorize', params: { authorisationId: AUTHORISATION } },
      query: `scope=AIS:long-ago&client_id=PSDBE-NBB-0123456789&redirect_uri=${REDIRECT_URI}`,
    },
  ],
])('%s finds nothing in what is not known of full %s', (rule, family, call) => {
  const verdict = (isFull: boolean) =>
    judge.judgeCall(aCall(call), filled(family, isFull)).verdicts[rule as keyof object];
  expect([isWhole(filled(family, true), family), verdict(true)]).toEqual([false, 'not-observed']);
  expect([isWhole(filled(family, false), family), verdict(false)]).toEqual([true, 'violated']);
});
