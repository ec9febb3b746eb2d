/** `GET` and `PUT /api/settings`: what can be changed while the gateway runs. */
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
    scaLink: z.enum(['by-profile', 'discovery', 'direct']).describe('What a `scaOAuth` link is.'),
    stances: z
      .array(
        z.object({
          stance: z.enum(['enforce', 'observe']),
          match: z.object({ operation: z.string(), tpp: z.string(), path: z.string() }).partial(),
        }),
      )
      .describe('Another stance for some calls; the first entry that fits counts.'),
  }),
);

export const SETTINGS_ROUTES = [
  route('GET /api/settings', 'settings', {
    says: 'source, stance, stances, profile, bank and scaLink',
    answer: settings,
    handle: ({ current }) => current(),
  }),
  route('PUT /api/settings', 'settings', {
    says: 'changes the given ones from the next call on; noted in the session',
    takes: ({ wanted }) => wanted,
    answer: settings,
    handle: ({ change }, { body }) => change(body),
  }),
];
