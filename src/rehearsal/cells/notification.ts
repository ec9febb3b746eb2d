/** Cells of notifications: the bank tells statuses of payments, more or less. */
import { at, type Cell, cells } from './cell.js';

const TOLD = 'listener:callback';

// biome-ignore format: one cell per line
export const NOTIFICATION_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'notification',
      seen: 'webhooks everywhere: at most once, at least once, in any order, and from anybody',
      sound:
        'It takes a notification for a hint: it reads the status from the bank, does so again later without one, and never goes back from a final status.',
      calm: ['link', 'pay'],
      storm: ['bank settles the payment'],
      after: ['clock 1d', 'sync'],
      needs: ['belief', 'notifications'],
      calls: 6,
    },
    {
      calm: { happens: 'The bank tells that the payment is settled.' },
      lost: { happens: 'The notification is lost.', blind: true, weather: [at(TOLD, 'notification/lost')] },
      twice: { happens: 'The notification comes twice.', weather: [at(TOLD, 'notification/twice')] },
      late: { happens: 'The notification comes late.', weather: [at(TOLD, 'notification/late', { ms: 500 })] },
      'without-id': { happens: 'The notification does not say which payment is meant.', blind: true, weather: [at(TOLD, 'notification/without-id')] },
      'out-of-order': { happens: 'The notifications of a payment come in another order.', calm: ['link'], weather: [at(TOLD, 'notification/out-of-order')], storm: ['pay', 'bank settles the payment'] },
      'before-the-answer': { happens: 'The notification comes before the answer to the creation.', calm: ['link'], weather: [at('', 'notification/before-the-answer', { ms: 500 })], storm: ['pay'] },
      rejected: { happens: 'The bank tells that the payment is rejected.', storm: ['bank rejects the payment'] },
      'rejected-lost': { happens: 'The payment is rejected, and the notification of it is lost.', blind: true, weather: [at(TOLD, 'notification/lost')], storm: ['bank rejects the payment'] },
    },
  ),
];
