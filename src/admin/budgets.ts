/** `GET /api/budgets`: how much of each daily limit is used, how much is left, and when it frees up. */
import * as z from 'zod';
import { route } from './api/route.js';
import { session } from './api/schemas.js';
import { budget, showBudget } from './budget.js';

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
