/** Cells of payments: what must happen once, under weather that asks for it twice. */
import { at, type Cell, cells } from './cell.js';

const CREATE = 'operation:payments.create';
const STATUS = 'operation:payments.status';

// biome-ignore format: one cell per line
export const PAYMENT_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'payment',
      seen: 'a bookkeeping program that sent a payment again after a time-out: the bank had both',
      sound:
        'It never creates a payment again by itself: one whose answer is lost is undecided; it tells the PSU, and keeps it in its list as not known.',
      calm: ['link'],
      storm: ['pay'],
      after: ['clock 2d', 'sync', 'pay'],
      calls: 4,
    },
    {
      'create-lost': { happens: 'The payment is created, and the answer is lost.', weather: [at(CREATE, 'done/lost')] },
      'create-lost-once': { happens: 'The payment is created, and the first answer is lost; a second try would be answered.', weather: [at(CREATE, 'done/lost', {}, { count: 1 })] },
      'create-status-after': { happens: 'The payment is created, and the answer is a 502.', weather: [at(CREATE, 'done/status-after', { status: 502 }, { count: 1 })] },
      'create-late': { happens: 'The payment is created, and the answer comes too late.', weather: [at(CREATE, 'done/late', {}, { count: 1 })] },
      'create-500': { happens: 'The creation is answered 500, and nothing was created.', weather: [at(CREATE, 'answer/status', { status: 500 })] },
      'create-429': { happens: 'The creation is answered 429.', weather: [at(CREATE, 'answer/status', { status: 429, retryAfter: 60 })] },
      'create-hang': { happens: 'The creation is never answered.', weather: [at(CREATE, 'transport/hang')] },
      'create-cut': { happens: 'The answer to the creation is cut in the middle.', weather: [at(CREATE, 'transport/cut', { at: 'body' }, { count: 1 })] },
      'create-no-link': { happens: 'The answer to the creation has no links.', weather: [at(CREATE, 'content/member', { member: '_links', to: 'absent' })] },
    },
  ),
  ...cells(
    {
      family: 'payment',
      seen: 'payments that a shop took for done: accepted is not settled, and a bank may still say no',
      sound:
        'It shows a payment by the status that the bank gives, asks again later, and takes none for settled before ACSC.',
      calm: ['link', 'pay'],
      needs: ['belief'],
    },
    {
      settled: { happens: 'The payment is settled the next days.', storm: ['clock 6d', 'sync'], must: true },
      'settled-at-once': { happens: 'The bank settles the payment at once.', storm: ['bank settles the payment', 'sync'], must: true },
      rejected: { happens: 'The bank rejects the payment after the PSU authorised it.', storm: ['bank rejects the payment', 'sync'], must: true },
      'status-500': { happens: 'The payment is rejected, and its status cannot be read that day.', weather: [at(STATUS, 'answer/status', { status: 500 })], storm: ['bank rejects the payment', 'sync'], after: ['clock 1d', 'sync'] },
      'unknown-status': { happens: 'The status is a code that nobody knows.', weather: [at(STATUS, 'content/unknown-status')], storm: ['sync'], after: ['clock 6d', 'sync'], blind: true },
    },
  ),
];
