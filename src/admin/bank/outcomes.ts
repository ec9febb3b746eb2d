/** `PUT /api/bank/next-outcome`: how the next SCA ends, of a consent or payment, of a PSU, or of anybody. */
import type { AddRoute } from './route.js';

export function addOutcomeRoutes(add: AddRoute): void {
  add('PUT', '/api/bank/next-outcome', (bank, { body }) => bank.setNextOutcome(body));
}
