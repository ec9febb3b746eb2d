/** `GET /api/bank/psus?from=&limit=`: who there is, a page at a time. */
import { pageAsked } from './page-asked.js';
import type { AddRoute } from './route.js';

export function addPsuRoutes(add: AddRoute): void {
  add('GET', '/api/bank/psus', (bank, request) => {
    const { from, limit } = pageAsked(request);
    return bank.psus(from, limit);
  });
}
