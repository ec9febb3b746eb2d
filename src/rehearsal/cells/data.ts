/** Cells of data: answers that are whole and wrong, and postings that change after they were read. */
import { at, type Cell, cells } from './cell.js';

const LIST = 'operation:accounts.list';
const BALANCES = 'operation:accounts.balances';
const TRANSACTIONS = 'operation:accounts.transactions';

// biome-ignore format: one cell per line
export const DATA_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'data',
      seen: 'banks’ own trackers: answers cut by a proxy, pages of a firewall with status 200, members that come and go with a release',
      sound:
        'It checks an answer by a schema before it takes anything over; what does not fit is not imported, what was there stays, and it says so.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
      after: ['clock 1d', 'sync'],
      needs: ['belief'],
    },
    {
      truncate: { happens: 'The JSON of the transactions ends in the middle.', weather: [at(TRANSACTIONS, 'content/truncate')] },
      'html-list': { happens: 'The list of accounts is a page of HTML with status 200.', weather: [at(LIST, 'content/html')] },
      'html-transactions': { happens: 'The transactions are a page of HTML with status 200.', weather: [at(TRANSACTIONS, 'content/html')] },
      'media-type': { happens: 'The transactions are JSON under the media type text/plain.', weather: [at(TRANSACTIONS, 'content/media-type')] },
      numbers: { happens: 'Amounts are JSON numbers.', weather: [at('operation:accounts.*', 'content/numbers')] },
      'balance-absent': { happens: 'The balances are missing.', weather: [at(BALANCES, 'content/member', { member: 'balances', to: 'absent' })] },
      'balance-null': { happens: 'The balances are null.', weather: [at(BALANCES, 'content/member', { member: 'balances', to: 'null' })] },
      'balance-empty': { happens: 'The list of balances is empty.', weather: [at(BALANCES, 'content/member', { member: 'balances', to: 'list' })] },
      'balance-number': { happens: 'The balances are a number.', weather: [at(BALANCES, 'content/member', { member: 'balances', to: 'number' })] },
      'accounts-empty': { happens: 'The list of accounts is empty for a day.', weather: [at(LIST, 'content/member', { member: 'accounts', to: 'list' })] },
      'booked-absent': { happens: 'The transactions have no list of booked ones.', weather: [at(TRANSACTIONS, 'content/member', { member: 'booked', to: 'absent' })] },
      'booked-empty': { happens: 'The list of booked transactions is empty for a day.', weather: [at(TRANSACTIONS, 'content/member', { member: 'booked', to: 'list' })], blind: true },
      'unknown-member': { happens: 'Answers have members that nobody announced.', weather: [at('operation:accounts.*', 'content/unknown-member')], must: true },
    },
  ),  ...cells(
    {
      family: 'data',
      seen: 'statements that aggregators had twice, or never had: pending entries that change when they are booked, entries that come after their day, and accounts that close or move',
      sound:
        'It reads a period anew and takes it over as a whole, knows an account by its resource, and shows a closed one as closed.',
      calm: ['link'],
      after: ['clock 1d', 'sync'],
      needs: ['belief'],
      must: true,
    },
    {
      'booked-today': { happens: 'A posting is booked between two syncs of a day.', storm: ['sync', 'bank books a posting', 'sync'] },
      'back-dated': { happens: 'A posting is booked with a day that was read already.', storm: ['bank books into the past', 'sync'] },
      'other-currency': { happens: 'A posting is in a foreign currency, with its exchange.', storm: ['bank books another currency', 'sync'] },
      'pending-then-booked': { happens: 'A card payment is pending for two days, and then booked.', storm: ['bank holds a card payment', 'sync', 'clock 3d', 'sync'] },
      'account-closed': { happens: 'The savings account is closed.', storm: ['bank closes an account', 'clock 1d', 'sync'] },
      'account-blocked': { happens: 'The current account is blocked: it can be read, and nothing can be paid from it.', storm: ['bank blocks an account', 'clock 1d', 'sync'] },
      'iban-changed': { happens: 'The current account gets another IBAN.', storm: ['bank changes an IBAN', 'clock 1d', 'sync'] },
    },
  ),
];
