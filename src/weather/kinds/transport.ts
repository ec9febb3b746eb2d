/** Connections that are slow, break, or stay silent. */
import * as z from 'zod';
import { callKind, type Kind } from '../kind.js';

const ms = z.int().min(1).max(600_000);

export const TRANSPORT: Readonly<Record<string, Kind>> = {
  delay: callKind({
    family: 'transport',
    says: 'The answer is delayed by `ms`, and by up to `jitter` more.',
    takes: z.strictObject({ ms, jitter: z.int().min(0).max(600_000).default(0) }),
    meets: () => true,
    after: ({ given, draw }) => ({ ms: given.ms + Math.floor(draw() * given.jitter) }),
  }),
  hang: callKind({
    family: 'transport',
    says: 'The bank is not asked, nothing is answered, and the connection stays open.',
    takes: z.strictObject({}),
    meets: () => true,
    instead: () => ({ end: 'hang' }),
  }),
  cut: callKind({
    family: 'transport',
    says: 'The connection is closed: `before` the head (the bank is not asked), in the `body`, or `after` it.',
    takes: z.strictObject({ at: z.enum(['before', 'body', 'after']).default('before') }),
    meets: () => true,
    instead: ({ given }) => (given.at === 'before' ? { end: 'head' } : undefined),
    after: ({ given }, { answer }) => {
      if (given.at === 'after') return { end: 'after' };
      const size = answer.body?.size ?? 0;
      return given.at === 'body' && size > 1 ? { end: 'body', bytes: Math.floor(size / 2) } : undefined;
    },
  }),
  reset: callKind({
    family: 'transport',
    says: 'The connection is reset (TCP RST) before an answer; the bank is not asked.',
    takes: z.strictObject({}),
    meets: () => true,
    instead: () => ({ end: 'reset' }),
  }),
  'slow-body': callKind({
    family: 'transport',
    says: 'The body arrives at `bytes` a second.',
    takes: z.strictObject({ bytes: z.int().min(1).max(1_048_576).default(100) }),
    meets: () => true,
    after: ({ given }, { answer }) => ((answer.body?.size ?? 0) > 0 ? { bytes: given.bytes } : undefined),
  }),
};
