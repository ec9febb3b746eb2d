/** Cells of limits: four accesses a day, and banks that count in their own way. */
import { at, type Cell, cells } from './cell.js';

const ACCOUNTS = 'operation:accounts.*';

// biome-ignore format: one cell per line
export const LIMIT_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'limit',
      seen: 'issue threads of bookkeeping programs: “429 at the second sync of the day”, on banks that promise four',
      sound:
        'At a 429 it stops reading this consent, waits for Retry-After or the next day, keeps what it has, and says when it was last up to date.',
      calm: ['link'],
      storm: ['sync'],
      after: ['clock 1d', 'sync'],
      calls: 3,
    },
    {
      early: { happens: 'The second access of the day is refused with 429.', weather: [at(ACCOUNTS, 'limit/early', {}, { after: 6 })], storm: ['sync', 'sync'] },
      'by-ip': { happens: 'The bank counts accesses by the address of the TPP, for all consents together.', weather: [at(ACCOUNTS, 'limit/by-ip')], storm: ['sync', 'sync'] },
      'without-retry-after': { happens: 'The 429 does not say when to come again.', weather: [at(ACCOUNTS, 'limit/without-retry-after')], storm: ['sync', 'sync'] },
      'with-retry-after': { happens: 'The list of accounts is answered 429 with Retry-After.', weather: [at('operation:accounts.list', 'answer/status', { status: 429, retryAfter: 60 })] },
      transactions: { happens: 'Accounts are read, and the first page of transactions is answered 429.', weather: [at('operation:accounts.transactions', 'answer/status', { status: 429, retryAfter: 60 })] },
      balances: { happens: 'The balances are answered 429, all else can be read.', weather: [at('operation:accounts.balances', 'answer/status', { status: 429 })] },
    },
  ),
  ...cells(
    {
      family: 'limit',
      seen: 'schedulers that run twice after a deployment, and PSUs who press “refresh” five times',
      sound: 'It counts its own accesses without PSU, and leaves out what would be the fifth.',
      calm: ['link'],
      calls: 6,
    },
    {
      'fifth-sync': { happens: 'Six syncs in one day, without the PSU.', storm: ['sync', 'sync', 'sync', 'sync', 'sync', 'sync'], after: ['clock 1d', 'sync'] },
      'at-once': { happens: 'Three syncs begin at the same moment.', storm: ['3 sync'], after: ['clock 1d', 'sync'] },
      'each-day': { happens: 'A sync each day for two weeks: the limit begins anew each day.', storm: ['sync daily 14'], after: ['clock 1d', 'sync'], must: true },
    },
  ),
];
