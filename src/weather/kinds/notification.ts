/** Resource status notifications that do not arrive as they should. */
import * as z from 'zod';
import { isToBeTold } from '../../bank/index.js';
import { callKind, type Kind } from '../kind.js';

const none = z.strictObject({});

/** Among several gateways, one claims a status for a minute; four tries take 41 s of it. */
const LATEST_MS = 15_000;

const about = { family: 'notification', takes: none, needs: 'emulator' } as const;

export const NOTIFICATION: Readonly<Record<string, Kind>> = {
  lost: { ...about, says: 'The notification is not sent.', how: 'lost' },
  twice: { ...about, says: 'The notification is sent again after it was acknowledged.', how: 'twice' },
  'out-of-order': {
    ...about,
    says: 'A status is sent after the one that follows it. A final status is sent unchanged.',
    needs: 'living',
    how: 'behind',
  },
  late: {
    ...about,
    says: 'The notification is held back for `ms`, and with it those that follow of the same payment.',
    takes: z.strictObject({ ms: z.int().min(1).max(LATEST_MS).default(5_000) }),
    how: 'late',
  },
  'without-id': { ...about, says: 'The notification names no payment.', how: 'without-id' },
  'before-the-answer': callKind({
    ...about,
    says: 'The answer to the call that causes a notification is held back for `ms`, so that the notification is there first. It meets the call.',
    takes: z.strictObject({ ms: z.int().min(100).max(60_000).default(1_000) }),
    meets: () => true,
    after: ({ call, given }, { answer, changes = [] }) => {
      const tells =
        call.operation === 'notifications.simulate'
          ? answer.status === 202
          : changes.some(
              ({ family, fact }) => family === 'bankPayments' && fact !== null && isToBeTold(fact, call.at),
            );
      return tells ? { ms: given.ms } : undefined;
    },
  }),
};
