/** All routes of the admin API. */
import * as z from 'zod';
import { BANK_ROUTES } from '../bank/routes.js';
import { CATALOGUE_ROUTES } from '../catalogue.js';
import { EXCHANGE_ROUTES } from '../exchanges/routes.js';
import { FAULT_ROUTES } from '../faults.js';
import { LIVE_ROUTES } from '../live/routes.js';
import { SESSION_ROUTES } from '../sessions.js';
import {
  BUDGET_ROUTES,
  CLOCK_ROUTES,
  EVIDENCE_ROUTES,
  RELOAD_ROUTES,
  REPLAY_ROUTES,
  SETTINGS_ROUTES,
} from '../settings.js';
import { type Route, route } from './route.js';

export const ROUTES: readonly Route[] = [
  ...SETTINGS_ROUTES,
  ...RELOAD_ROUTES,
  ...EXCHANGE_ROUTES,
  ...LIVE_ROUTES,
  ...SESSION_ROUTES,
  ...EVIDENCE_ROUTES,
  ...CATALOGUE_ROUTES,
  ...BUDGET_ROUTES,
  ...CLOCK_ROUTES,
  ...BANK_ROUTES,
  ...FAULT_ROUTES,
  ...REPLAY_ROUTES,
  route('GET /api/openapi.json', 'description', {
    says: 'this API as OpenAPI 3.1',
    answer: z.looseObject({ openapi: z.string() }),
    handle: ({ of }) => of(),
  }),
];
