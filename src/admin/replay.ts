/** `GET /api/replay`: which exchanges of the recording were used so far, and which calls had no answer in it. */
import * as z from 'zod';
import { SandgateError } from '../spec/index.js';
import { route } from './api/route.js';
import { count, named } from './api/schemas.js';

const place = { exchange: z.string(), method: z.string(), path: z.string() };
const reported = z.object({ ...place, operation: z.string().nullable(), status: z.int(), times: count });

const missed = z.object({
  kind: z.string(),
  at: z.number().describe('Epoch ms.'),
  ...place,
  text: z.string(),
  breaks: z.array(z.string()),
  closest: z
    .object({
      ...place,
      line: z.int().nullable(),
      differences: z.array(z.object({ place: z.string(), expected: z.string(), got: z.string() })),
    })
    .nullable(),
  needs: z.string().nullable(),
  handedOn: z.boolean(),
});

const report = named(
  'Replay',
  z.object({
    recording: z.string(),
    exchanges: count,
    withoutCall: count,
    daysShifted: z.int(),
    used: z.array(reported),
    unused: z.array(reported),
    undecided: z
      .array(z.string())
      .describe('Recorded clients that nothing told apart, a sentence for each group.'),
    misses: count.describe('All of them, also those that `missed` no longer holds.'),
    missed: z.array(missed),
  }),
);

export const REPLAY_ROUTES = [
  route('GET /api/replay', 'replay', {
    says: 'which exchanges of the replayed recording were used; 404 if none is replayed',
    answer: report,
    handle: (replay) => {
      if (replay.recording === null) throw new SandgateError('replay.none', {});
      return replay.recording.report();
    },
  }),
];
