import rule from '../../../src/rules/accounts/history-within-90-days.js';
import { NOW } from '../../builders.js';
import { aConsent, aLedger } from '../a-ledger.js';
import { testRule } from '../rule-tester.js';

const LATE = Date.UTC(2026, 5, 15, 23, 30);
const MINUTE = 60_000;
const YEAR_OLD = 'dateFrom=2025-06-15';

const ask = (query: string, consentId = 'C1') => ({
  operation: 'accounts.transactions' as const,
  query,
  headers: { 'Consent-Id': consentId },
});

/** A consent of three days, with what was seen since, in minutes before the call. */
function afterMinutes(seen: { sca?: number; history?: number }) {
  const before = (minutes: number | undefined) =>
    minutes === undefined ? undefined : NOW - minutes * MINUTE;
  const [scaAt, historyAt] = [before(seen.sca), before(seen.history)];
  const consents = aConsent({
    createdAt: NOW - 4_320 * MINUTE,
    ...(scaAt === undefined ? {} : { scaAt }),
    ...(historyAt === undefined ? {} : { historyAt }),
  });
  return aLedger({ consents });
}
const longAgo = afterMinutes({ sca: 4_000 });

testRule(rule, {
  complies: {
    yesterday: { call: ask('dateFrom=2026-06-14'), ledger: longAgo },
    '90 days before the day of the bank, late in the evening of UTC': {
      call: { ...ask('dateFrom=2026-03-18'), at: LATE },
      ledger: longAgo,
    },
    '90 days ago': { call: ask('dateFrom=2026-03-17'), ledger: longAgo },
    'seconds after the SCA': { call: ask(YEAR_OLD), ledger: afterMinutes({ sca: 0.2 }) },
    '20 minutes after the SCA': { call: ask(YEAR_OLD), ledger: afterMinutes({ sca: 20 }) },
    'the next page, behind one that the bank has just given': {
      call: ask(YEAR_OLD),
      ledger: afterMinutes({ sca: 35, history: 16 }),
    },
    'under a consent made a quarter of an hour ago, whenever its SCA was': {
      call: ask(YEAR_OLD),
      ledger: aLedger({ consents: aConsent({ createdAt: NOW - 15 * MINUTE }) }),
    },
    'any end of a range that begins within': { call: ask('dateFrom=2026-06-01&dateTo=2026-06-02') },
  },
  violates: {
    '90 days before the day of UTC, once the bank has the next': {
      call: { ...ask('dateFrom=2026-03-17'), at: LATE },
      ledger: longAgo,
      finds: [
        {
          expected: 'at most 90 days before today, 2026-06-16',
          actual: '2026-03-17, which is 91 days before today',
        },
      ],
    },
    '91 days ago': {
      call: ask('dateFrom=2026-03-16'),
      ledger: longAgo,
      finds: [{ place: 'query dateFrom', actual: '2026-03-16, which is 91 days before today' }],
    },
    'three months ago, which are 92 days': { call: ask('dateFrom=2026-03-15'), ledger: longAgo },
    'half an hour after the SCA': { call: ask(YEAR_OLD), ledger: afterMinutes({ sca: 30 }) },
    'a year ago, by the end of the range alone': {
      call: ask('dateTo=2025-06-15'),
      ledger: longAgo,
      finds: [{ place: 'query dateTo', actual: '2025-06-15, which is 365 days before today' }],
    },
    'with the consent of the sandbox whose right is over': {
      call: ask('dateFrom=2026-03-16', 'CONSENT_ID_TRANSACTION_90D_KO'),
    },
  },
  notApplicable: {
    'no start': { call: ask('bookingStatus=booked'), ledger: longAgo },
    'no date': { call: ask('dateFrom=2026-02-30'), ledger: longAgo },
  },
  notObserved: {
    'nothing is known of the consent': { call: ask(YEAR_OLD) },
    'the SCA went past': { call: ask(YEAR_OLD), ledger: afterMinutes({}) },
  },
});
