/** Bodies that were made before: the same all day, as long as no payment touches the accounts that they show. */
import type { Account, BankConsent } from '../../bank/index.js';
import { createRecentCache, keepContent } from '../../exchange/index.js';
import { bankDayAt } from '../../spec/index.js';
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

/** In bytes of bodies. */
const REMEMBERED = 4_194_304;

export function createBodyMemory({ v1 }: Links): BodyMemory {
  const bodies = createRecentCache<string, Rendered>(REMEMBERED, ({ body }) => body.size);
  // A consent that anything was done with is another fact, in whichever world.
  const numbers = new WeakMap<BankConsent, number>();
  let last = 0;
  const numberOf = (consent: BankConsent): number => {
    const known = numbers.get(consent);
    if (known !== undefined) return known;
    numbers.set(consent, ++last);
    return last;
  };
  return (name, { consent, accounts, moment: { bank, now } }, make) => {
    if (accounts.some(({ resourceId }) => bank.payments.touches(resourceId))) return renderJson(make());
    const key = `${numberOf(consent)} ${bankDayAt(now)} ${v1('')} ${name}`;
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const made = renderJson(make());
    bodies.set(key, made);
    keepContent(made.content);
    return made;
  };
}
