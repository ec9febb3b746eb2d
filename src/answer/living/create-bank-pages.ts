/** The living bank before the PSU's browser: the authorization request, and the pages that are no operation. */
import type { LinksParts } from '../emulator/links.js';
import { accessPath, type BankPage, bankPageAt } from './bank-pages.js';
import type { LivingBank, LivingHandler } from './living.js';
import { createPsuPages } from './psu/create-psu-pages.js';
import { createSca } from './sca/create-sca.js';
import { createTickets } from './sca/tickets.js';

export interface BankPages {
  readonly authorize: LivingHandler;
  /** null for a call that is for none of the pages. */
  readonly page: LivingHandler;
}

export function createBankPages(bank: LivingBank, urls: LinksParts['urls']): BankPages {
  const tickets = createTickets(bank.ids.token(), bank.ids.token);
  const { dialect } = bank.links;
  const { authorize, step } = createSca(bank, tickets, () => urls().psu);
  const { access, home } = createPsuPages(bank, tickets, accessPath(dialect), urls);
  const pages = { sca: step, access, home } satisfies Record<BankPage, LivingHandler>;
  return {
    authorize,
    page: (call, moment) => {
      const { method, path } = call.request;
      const page = call.listener === 'psu' ? bankPageAt(dialect, method, path) : null;
      return page === null ? null : pages[page](call, moment);
    },
  };
}
