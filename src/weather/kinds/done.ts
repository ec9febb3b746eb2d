/** The bank does what it was asked for, and the client does not learn of it, or not in time. */
import * as z from 'zod';
import { answerProblem } from '../answers.js';
import { callKind, type Kind } from '../kind.js';
import { statusParameters } from './answer.js';

export const DONE: Readonly<Record<string, Kind>> = {
  lost: callKind({
    family: 'done',
    says: 'The bank executes the call, and the connection is closed before the answer.',
    takes: z.strictObject({}),
    meets: () => true,
    after: () => ({ end: 'head' }),
  }),
  'status-after': callKind({
    family: 'done',
    says: 'The bank executes the call, and a proxy in front of it answers with `status` (500, 502, 503, 504).',
    takes: z.strictObject({ ...statusParameters, status: z.int().min(500).max(599).default(504) }),
    meets: () => true,
    after: ({ call, given }) => ({ answer: answerProblem(call, given) }),
  }),
  late: callKind({
    family: 'done',
    says: 'The bank executes the call at once, but its answer comes after `ms`, when clients have usually given up.',
    takes: z.strictObject({ ms: z.int().min(1).max(600_000).default(60_000) }),
    meets: () => true,
    after: ({ given }) => ({ ms: given.ms }),
  }),
};
