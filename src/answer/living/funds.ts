/** Funds confirmation from the real balance (reading `funds-living`). */
import { accountNamed, availableBalance, minorUnits } from '../../bank/index.js';
import { fundsConfirmationRequest, isIban, isPositiveAmount, plainIban } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import type { LivingBank, LivingHandlers } from './living.js';

export function createLivingFunds({ data }: LivingBank) {
  return {
    'funds-confirmations.create': (call, { books, now }) => {
      const { content } = call;
      const request =
        content.kind === 'json' ? fundsConfirmationRequest.safeParse(content.value).data : undefined;
      // The sandbox bank answers malformed requests, and the test account of the specification.
      const iban = request?.account.iban == null ? undefined : plainIban(request.account.iban);
      if (request === undefined || iban === undefined || !isIban(iban) || iban === data.funds.iban)
        return null;
      const { amount, currency } = request.instructedAmount;
      if (!isPositiveAmount(amount)) return null;
      const account = accountNamed(books.population, request.account);
      const otherCurrency =
        account !== undefined && (request.account.currency ?? account.currency) !== account.currency;
      if (account === undefined || account.status === 'deleted' || otherCurrency)
        return { answer: refuse(call, 'NO_PIIS_ACTIVATION') };
      const asked = currency === account.currency ? minorUnits(amount, currency) : undefined;
      const fundsAvailable =
        asked !== undefined && account.status === 'enabled' && asked <= availableBalance(books, account, now);
      return { answer: answerJson(call, 'emulator', 200, { fundsAvailable }) };
    },
  } satisfies LivingHandlers;
}
