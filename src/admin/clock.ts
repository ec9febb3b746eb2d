/** `GET` and `PUT /api/clock`: the time by which calls are judged and answered; `?session=` that of a session's world. */
import * as z from 'zod';
import { route } from './api/route.js';
import { named, session, time } from './api/schemas.js';

const query = z.object({ session: session.optional() });
const clock = named(
  'Clock',
  z.object({
    now: time,
    mode: z.enum(['real', 'frozen', 'running']),
    speed: z.string().describe('How much of that time passes in a time of the machine: `1`, `1d/1s`.'),
  }),
);

export const CLOCK_ROUTES = [
  route('GET /api/clock', 'clock', {
    says: 'the time by which calls are judged and answered',
    query,
    answer: clock,
    handle: ({ current }, asked) => current(asked.query.session),
  }),
  route('PUT /api/clock', 'clock', {
    says: 'moves it: `{"now"}` or `{"advance":"90d"}`, `{"mode"}`, `{"speed":"1d/1s"}`; [clock.md](clock.md)',
    takes: ({ wanted }) => wanted,
    query,
    answer: clock,
    handle: ({ change }, asked) => change(asked.body, asked.query.session),
  }),
];
