/** Answers of something that stands before the bank: the bank is not asked. */
import * as z from 'zod';
import { answerProblem } from '../answers.js';
import { callKind, type Kind } from '../kind.js';

export const statusParameters = {
  status: z.int().min(400).max(599),
  /** Seconds; absent: no Retry-After. */
  retryAfter: z.int().min(0).max(86_400).optional(),
  form: z.enum(['json', 'html', 'empty']).default('json'),
};

export const ANSWER: Readonly<Record<string, Kind>> = {
  status: callKind({
    family: 'answer',
    says: 'The answer has this `status` (429, 500, 502, 503, …), in `form` json, html or empty, with `retryAfter` seconds or without. The bank is not asked.',
    takes: z.strictObject(statusParameters),
    meets: () => true,
    instead: ({ call, given }) => ({ answer: answerProblem(call, given) }),
  }),
  maintenance: callKind({
    family: 'answer',
    says: 'The bank shows the HTML page of its maintenance, with 503. Set its time with `during`.',
    takes: z.strictObject({ retryAfter: statusParameters.retryAfter }),
    meets: () => true,
    instead: ({ call, given }) => ({ answer: answerProblem(call, { ...given, status: 503, form: 'html' }) }),
  }),
};
