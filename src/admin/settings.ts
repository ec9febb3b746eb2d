/** `GET` and `PUT /api/settings`: bank, source, stance and profile, which can be changed while the gateway runs. */
import * as z from 'zod';
import { route } from './api/route.js';
import { named } from './api/schemas.js';

const settings = named(
  'Settings',
  z.object({
    source: z.string().describe('Who answers: `emulator`, `upstream`, `replay`, or a chain of them.'),
    stance: z.enum(['enforce', 'observe']),
    profile: z.enum(['sandbox', 'production']),
    bank: z.enum(['sandbox', 'living']),
  }),
);

export const SETTINGS_ROUTES = [
  route('GET /api/settings', 'settings', {
    says: 'source, stance, profile and bank',
    answer: settings,
    handle: ({ current }) => current(),
  }),
  route('PUT /api/settings', 'settings', {
    says: 'changes those given, from the next call on; the change is noted in the session',
    takes: ({ wanted }) => wanted,
    answer: settings,
    handle: ({ change }, { body }) => change(body),
  }),
];
