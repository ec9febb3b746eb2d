import { advance, applyChanges, createLedger, keyOf } from '../../../src/ledger/index.js';
import rule from '../../../src/rules/accounts/booking-status.js';
import { anExchange, fingerprint, OTHER_TPP, TPP } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const ask = (query: string) => ({
  operation: 'accounts.transactions' as const,
  ...(query === '' ? {} : { query }),
});

/** The bank linked the next page so. */
function linked(query: readonly (readonly [string, string])[], tpp = TPP) {
  const target = { path: '/stdgroup/v1/accounts/ACCOUNT_ID/transactions', query };
  return createLedger([{ family: 'links', key: keyOf.link(tpp, target), fact: { tpp, ...target } }]);
}
/** The list of accounts linked the transactions of one by their plain address. */
function afterList(source: 'upstream' | 'emulator', origin = '') {
  const href = `${origin}/stdgroup/v1/accounts/ACCOUNT_ID/transactions`;
  const accounts = [{ resourceId: 'ACCOUNT_ID', _links: { transactions: { href } } }];
  const list = anExchange({ call: { operation: 'accounts.list' }, answer: { source, body: { accounts } } });
  const ledger = createLedger();
  applyChanges(ledger, advance(ledger, list, fingerprint));
  return ledger;
}
const inCapitals = [
  ['bookingStatus', 'BOOKED'],
  ['page', '1'],
] as const;

testRule(rule, {
  complies: Object.fromEntries(
    ['booked', 'pending', 'both', 'all', 'information', 'all&bookingStatus=all'].map((value) => [
      value,
      { call: ask(`bookingStatus=${value}`) },
    ]),
  ),
  violates: {
    absent: { call: ask('dateFrom=2026-05-01'), finds: [{ place: 'query bookingStatus', actual: 'absent' }] },
    'in capitals': { call: ask('bookingStatus=BOOKED'), finds: [{ actual: 'BOOKED' }] },
    empty: { call: ask('bookingStatus=') },
    'a right one, and a wrong one behind it': {
      call: ask('bookingStatus=booked&bookingStatus=nothing'),
      finds: [{ place: 'query bookingStatus', expected: 'the parameter once', actual: 'booked, nothing' }],
    },
    'two right ones': { call: ask('bookingStatus=booked&bookingStatus=pending') },
    'another page than the bank has linked': {
      call: ask('bookingStatus=BOOKED&page=2'),
      ledger: linked(inCapitals),
    },
    "another TPP's link": { call: ask('bookingStatus=BOOKED&page=1'), ledger: linked(inCapitals, OTHER_TPP) },
    "a bank's plain link with dates of the TPP's own, and no status": {
      call: ask('dateFrom=2026-05-01'),
      ledger: afterList('upstream'),
      finds: [{ place: 'query bookingStatus', actual: 'absent' }],
    },
    'another account than the one whose link the bank gave': {
      call: { ...ask(''), params: { accountId: 'ANOTHER' } },
      ledger: afterList('upstream'),
    },
    "the emulator's plain link, which is to be completed": { call: ask(''), ledger: afterList('emulator') },
    'a status of its own behind a link that has none': {
      call: ask('cursor=a&bookingStatus=BOOKED'),
      ledger: linked([['cursor', 'a']]),
      finds: [{ actual: 'BOOKED' }],
    },
  },
  notApplicable: {
    "the bank's own link": { call: ask('page=1&bookingStatus=BOOKED'), ledger: linked(inCapitals) },
    "the bank's own link without one": { call: ask('cursor=a'), ledger: linked([['cursor', 'a']]) },
    "a bank's plain link to transactions": { call: ask(''), ledger: afterList('upstream') },
    'that link of an absolute address': {
      call: ask(''),
      ledger: afterList('upstream', 'https://bank.example'),
    },
    balances: { call: { operation: 'accounts.balances' } },
  },
});
