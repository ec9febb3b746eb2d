/** What is named to the living bank by its operator, and the nearest name for what it does not have. */
import type { BankConsent, BankPayment, Population, Psu } from '../../bank/index.js';
import { type FaultCode, SandgateError, slipOf } from '../../spec/index.js';
import type { RunningWorld } from '../gateway/worlds.js';

/** The nearest is looked for among so many: of a hundred thousand, the newest are what somebody means. */
const MOST_COMPARED = 1_000;
const SHOWN = 100;

export function consentOf({ bank }: Pick<RunningWorld, 'bank'>, id: string): BankConsent {
  const first = 'create one first: POST /consents';
  return bank.bankConsents.get(id) ?? unknown('bank.no-consent', id, bank.bankConsents.keys(), first);
}

export function paymentOf({ bank }: Pick<RunningWorld, 'bank'>, id: string): BankPayment {
  const first = 'create one first: POST /payments/…';
  return bank.bankPayments.get(id) ?? unknown('bank.no-payment', id, bank.bankPayments.keys(), first);
}

export function psuOf(population: Population, id: string): Psu {
  const ids = () => population.psus(0, MOST_COMPARED).map((psu) => psu.id);
  return population.psu(id) ?? unknown('bank.no-psu', id, ids(), 'it has none');
}

function unknown(
  code: Extract<FaultCode, 'bank.no-consent' | 'bank.no-payment' | 'bank.no-psu'>,
  typed: string,
  known: Iterable<string>,
  first: string,
): never {
  const id = typed.slice(0, SHOWN);
  const ids = [...known].slice(-MOST_COMPARED);
  const meant = slipOf(id, ids);
  const hint = ids.length === 0 ? first : meant === '' ? '' : `Did you mean «${meant}»?`;
  throw new SandgateError(code, { id, hint });
}
