/** `/api/bank/consents` and `/api/bank/payments`: what TPPs created, and what their PSU or the bank can do to it. */
import { pageAsked } from './page-asked.js';
import { CONSENT_ACTIONS, PAYMENT_ACTIONS } from './port.js';
import type { AddRoute } from './route.js';

const idOf = ({ params }: { readonly params: unknown }): string => (params as { readonly id: string }).id;

export function addResourceRoutes(add: AddRoute): void {
  add('GET', '/api/bank/consents', (bank, request) => {
    const { from, limit } = pageAsked(request);
    return bank.consents(from, limit);
  });
  add('GET', '/api/bank/consents/:id', (bank, request) => bank.consent(idOf(request)));
  for (const action of CONSENT_ACTIONS)
    add('POST', `/api/bank/consents/:id/${action}`, (bank, request) =>
      bank.endConsent(idOf(request), action),
    );
  add('GET', '/api/bank/payments', (bank, request) => {
    const { from, limit } = pageAsked(request);
    return bank.payments(from, limit);
  });
  add('GET', '/api/bank/payments/:id', (bank, request) => bank.payment(idOf(request)));
  for (const action of PAYMENT_ACTIONS)
    add('POST', `/api/bank/payments/:id/${action}`, (bank, request) =>
      bank.decidePayment(idOf(request), action),
    );
}
