/** Limits that are stricter than the interface says. */
import * as z from 'zod';
import { answerRefusal } from '../../answer/index.js';
import type { Call } from '../../exchange/index.js';
import { OPERATIONS } from '../../spec/index.js';
import { callKind, type Kind } from '../kind.js';

const isRead = ({ operation }: Call): boolean => operation !== null && OPERATIONS[operation].counted;
const isUnattended = (call: Call): boolean => isRead(call) && !call.request.hasPsuAddress;

const refused = (
  says: string,
  meets: (call: Call) => boolean,
  { text, retryAfter }: { readonly text: string; readonly retryAfter: number | null },
): Kind =>
  callKind<object>({
    family: 'limit',
    says: `${says} Use \`after\` to let some pass first.`,
    takes: z.strictObject({}),
    meets,
    instead: ({ call }) => ({
      answer: answerRefusal(
        {
          ...{ kind: 'messages', status: 429, messages: [{ code: 'ACCESS_EXCEEDED', text }] },
          headers: retryAfter === null ? [] : [['Retry-After', String(retryAfter)]],
        },
        call,
        'gateway',
      ),
    }),
  });

export const LIMIT: Readonly<Record<string, Kind>> = {
  early: refused('Reads without the PSU are refused with 429 before the fourth of the day.', isUnattended, {
    text: 'The accesses of this day without the PSU are used.',
    retryAfter: 3_600,
  }),
  'by-ip': refused(
    'Reads are refused with 429, whether the PSU is there or not: the bank counts by address.',
    isRead,
    {
      text: 'Too many requests from this address.',
      retryAfter: 60,
    },
  ),
  'without-retry-after': refused('Reads are refused with 429 that does not say when to try again.', isRead, {
    text: 'Too many requests.',
    retryAfter: null,
  }),
};
