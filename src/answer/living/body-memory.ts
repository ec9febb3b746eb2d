/** Bodies that were made before: the same all day, as long as no payment touches the accounts that they show. */
import type { Account, BankConsent } from '../../bank/index.js';
import { bankDayAt } from '../../spec/index.js';
import { createDayBodies } from '../day-bodies.js';
import type { Links } from '../emulator/links.js';
import { type Rendered, renderJson } from '../render.js';
import type { LivingMoment } from './living.js';

export interface BodyOf {
  readonly consent: BankConsent;
  readonly accounts: readonly Account[];
  readonly moment: LivingMoment;
}

/** The body of that name for a consent, made where it is not remembered. */
export type BodyMemory = (name: string, of: BodyOf, make: () => unknown) => Rendered;

export function createBodyMemory({ api }: Links): BodyMemory {
  const remember = createDayBodies(api);
  // A consent that anything was done with is another fact, in whichever world.
  const numbers = new WeakMap<BankConsent, number>();
  let last = 0;
  const numberOf = (consent: BankConsent): number => {
    const known = numbers.get(consent);
    if (known !== undefined) return known;
    numbers.set(consent, ++last);
    return last;
  };
  return (name, { consent, accounts, moment: { bank, books, now } }, make) =>
    accounts.some(({ resourceId: id }) => bank.payments.touches(id) || books.population.varies?.(id) === true)
      ? renderJson(make())
      : remember(`${numberOf(consent)} ${name}`, bankDayAt(now), make);
}
