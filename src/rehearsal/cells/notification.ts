/** Cells of notifications: the bank tells statuses of payments, more or less. */
import { type Cell, cells } from './cell.js';

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
      blind: true,
    },
    {
      calm: { happens: 'The bank tells that the payment is settled.' },
      rejected: { happens: 'The bank tells that the payment is rejected.', storm: ['bank rejects the payment'] },
    },
  ),
];
