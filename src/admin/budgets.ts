/** `GET /api/budgets`: how much of each daily limit is used, how much is left, and when it frees up. */
import type { FastifyInstance } from 'fastify';
import type { Budget } from '../ledger/index.js';
import { answer, sessionOf } from './answer.js';

export interface BudgetsPort {
  /** In the world of a session; those with an access in the window of now, in the order of their newest access. */
  readonly current: (session?: string) => Promise<readonly Budget[]>;
}

/** `?tpp=` takes one organisation only, `?session=` the world of a session. */
export function addBudgetRoutes(server: FastifyInstance, { current }: BudgetsPort): void {
  server.get('/api/budgets', (request, reply) => {
    const { tpp } = request.query as { readonly tpp?: string | readonly string[] };
    const wanted = tpp === undefined ? null : new Set([tpp].flat());
    return answer(reply, async () =>
      (await current(sessionOf(request)))
        .filter((budget) => wanted === null || wanted.has(budget.tpp))
        .map(asJson),
    );
  });
}

function asJson({ tpp, consentId, operation, accountId, used, allowed, left, freesUpAt }: Budget) {
  return {
    ...{ tpp, consent: consentId, operation },
    // The list of accounts is of none in particular.
    account: accountId === '' ? null : accountId,
    ...{ used, allowed, left },
    freesUpAt: new Date(freesUpAt).toISOString(),
  };
}
