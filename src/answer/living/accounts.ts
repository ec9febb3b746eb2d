/** Account information of the living bank: the list, one account, its balances; no more than the consent covers. */
import { type Account, type BankConsent, coveredAccounts } from '../../bank/index.js';
import { type Call, queryValue } from '../../exchange/index.js';
import type { Answered } from '../answerer.js';
import { openReply, type Rendered } from '../render.js';
import { accountOfCall, consentOfCall, useOf } from './account-access.js';
import { accountRecord, balanceRecords } from './account-records.js';
import type { BodyMemory } from './body-memory.js';
import type { LivingBank, LivingHandler, LivingHandlers, LivingMoment } from './living.js';

export function createLivingAccounts(bank: LivingBank, remember: BodyMemory) {
  const found = (call: Call, consent: BankConsent, { now }: LivingMoment, rendered: Rendered): Answered => ({
    answer: openReply(call, { source: 'emulator', status: 200, rendered }),
    changes: useOf(consent, now),
  });
  const view = (call: Call, consent: BankConsent, moment: LivingMoment) => ({
    books: moment.books,
    links: bank.links,
    consent,
    withBalance: asksBalance(call, consent),
    now: moment.now,
  });
  const balances = (account: Account, moment: LivingMoment) => ({
    account: { iban: account.iban, currency: account.currency },
    balances: balanceRecords(moment.books, account, moment.now),
  });

  const list: LivingHandler = (call, moment) => {
    const consent = consentOfCall(bank, call, moment);
    if (!('access' in consent)) return { answer: consent };
    const shown = view(call, consent, moment);
    const accounts = coveredAccounts(consent, moment.books.population);
    const rendered = remember(`list ${shown.withBalance}`, { consent, accounts, moment }, () => ({
      accounts: accounts.map((account) => accountRecord(account, shown)),
    }));
    return found(call, consent, moment, rendered);
  };

  return {
    'accounts.list': list,
    'accounts.read': (call, moment) => {
      const asked = accountOfCall(bank, call, moment, 'details');
      if ('status' in asked) return { answer: asked };
      const { consent, account } = asked;
      const shown = view(call, consent, moment);
      const name = `one ${account.resourceId} ${shown.withBalance}`;
      const rendered = remember(name, { consent, accounts: [account], moment }, () => ({
        account: accountRecord(account, shown),
      }));
      return found(call, consent, moment, rendered);
    },
    'accounts.balances': (call, moment) => {
      const asked = accountOfCall(bank, call, moment, 'balances');
      if ('status' in asked) return { answer: asked };
      const { consent, account } = asked;
      const rendered = remember(
        `balances ${account.resourceId}`,
        { consent, accounts: [account], moment },
        () => balances(account, moment),
      );
      return found(call, consent, moment, rendered);
    },
  } satisfies LivingHandlers;
}

/** A list that is given with its balances shows them unasked. */
function asksBalance(call: Call, { access: { kind } }: BankConsent): boolean {
  return kind === 'availableAccountsWithBalance' || queryValue(call, 'withBalance') === 'true';
}
