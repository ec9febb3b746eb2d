/** Funds confirmation on the one account that has a consent for it. */
import type { Call } from '../../exchange/index.js';
import { fundsConfirmationRequest, isIban, isPositiveAmount, plainIban } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import type { Bank, Handlers } from './bank.js';

export function createFundsHandlers({ data }: Bank): Handlers<'funds-confirmations'> {
  const { iban, currency } = data.funds;
  const available = thousandths(data.funds.balance) + thousandths(data.funds.overdraft);

  return {
    'funds-confirmations.create': (call) => {
      const request = readRequest(call);
      if (request === undefined) return refuse(call, 'FORMAT_ERROR');
      const { account, instructedAmount } = request;
      if (!isPositiveAmount(instructedAmount.amount))
        return refuse(call, 'FORMAT_ERROR', { path: 'instructedAmount.amount' });
      const asked = account.iban == null ? undefined : plainIban(account.iban);
      if (asked !== undefined && !isIban(asked))
        return refuse(call, 'FORMAT_ERROR', {
          path: 'account.iban',
          text: 'This is not an IBAN: its length or its check digits are wrong.',
        });
      const isTestAccount = asked === iban && (account.currency ?? currency) === currency;
      if (!isTestAccount) return refuse(call, 'NO_PIIS_ACTIVATION');
      const fundsAvailable =
        instructedAmount.currency === currency && thousandths(instructedAmount.amount) <= available;
      return answerJson(call, 'emulator', 200, { fundsAvailable });
    },
  };
}

function readRequest({ content }: Call) {
  return content.kind === 'json' ? fundsConfirmationRequest.safeParse(content.value).data : undefined;
}

/** An amount of the standard's form, exactly: 14 digits and 3 decimals do not fit a double. */
function thousandths(amount: string): bigint {
  const negative = amount.startsWith('-');
  const [whole = '0', decimals = ''] = (negative ? amount.slice(1) : amount).split('.');
  const value = BigInt(whole) * 1000n + BigInt(decimals.padEnd(3, '0'));
  return negative ? -value : value;
}
