/** `/api/settings`, `/api/clock`, `/api/replay`, `/api/evidence`: how a gateway works, changed while it runs. */
import * as z from 'zod';
import { SandgateError } from '../spec/index.js';
import { route } from './api/route.js';
import { change, clock, count, named, ofSession, session, settings } from './api/schemas.js';
import { budget, showBudget } from './budget.js';

export const SETTINGS_ROUTES = [
  route('GET /api/settings', 'settings', {
    says: 'source, stance, stances, profile, bank and scaLink',
    answer: settings,
    handle: ({ current }) => current(),
  }),
  route('PUT /api/settings', 'settings', {
    says: 'changes the given settings from the next call on; noted in the session',
    takes: ({ wanted }) => wanted,
    answer: settings,
    handle: ({ change }, { body }) => change(body),
  }),
];

export const RELOAD_ROUTES = [
  route('POST /api/reload', 'reload', {
    says: 'reads certificates, lists, rules and routes again, wholly or not at all, as SIGHUP does; [certificates.md](certificates.md#changing-certificates)',
    answer: z.object({ changed: z.array(change) }),
    handle: ({ now }) => now(),
  }),
];

export const CLOCK_ROUTES = [
  route('GET /api/clock', 'clock', {
    says: 'the time by which calls are judged and answered',
    query: ofSession,
    answer: clock,
    handle: ({ current }, asked) => current(asked.query.session),
  }),
  route('PUT /api/clock', 'clock', {
    says: 'moves the clock: `{"now"}` or `{"advance":"90d"}`, `{"mode"}`, `{"speed":"1d/1s"}`; [clock.md](clock.md)',
    takes: ({ wanted }) => wanted,
    query: ofSession,
    answer: clock,
    handle: ({ change }, asked) => change(asked.body, asked.query.session),
  }),
];

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
    says: 'the exchanges of the replayed recording that were used and not used; 404 without a replay',
    answer: report,
    handle: (replay) => {
      if (replay.recording === null) throw new SandgateError('replay.none', {});
      return replay.recording.report();
    },
  }),
];

export const EVIDENCE_ROUTES = [
  route('POST /api/evidence/checkpoint', 'evidence', {
    says: 'signs a [checkpoint](report.md#evidence) of everything that this gateway has not signed yet; answered when it is stored',
    answer: z.object({ signed: z.literal(true) }),
    handle: async ({ sign }) => {
      await sign();
      return { signed: true as const };
    },
  }),
];

export const BUDGET_ROUTES = [
  route('GET /api/budgets', 'budgets', {
    says: 'daily limits that are partly or fully used; `?tpp=` for one organisation',
    query: z.object({ session: session.optional(), tpp: z.array(z.string()).optional() }),
    many: ['tpp'],
    answer: z.array(budget),
    handle: async ({ current }, { query: { session: name, tpp } }) =>
      (await current(name)).filter((one) => tpp?.includes(one.tpp) !== false).map(showBudget),
  }),
];
