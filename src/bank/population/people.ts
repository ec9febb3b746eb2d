/** PSUs and their accounts, as they are told to others. */
import { FOR, numberFrom, oneOf, within } from './draw.js';
import { BANK_BIC, ibanAt, type Place, psuIdOf, resourceIdOf } from './identity.js';
import { FIRMS, FIRST_NAMES, PLAIN_WORDS, SURNAMES } from './parties.js';
import { firstDayOf } from './periods.js';
import type { AccountRow } from './personas.js';
import type { Account, Psu } from './population.js';
import { type Reckoning, rowOf } from './reckoning.js';

export function psuAt(seed: number, number: number): Psu {
  const [first, last] = namesOf(seed, number);
  const chosen = numberFrom(seed, FOR.password, number);
  return {
    id: psuIdOf(number),
    name: `${first} ${last}`,
    login: `${first.toLowerCase()}.${number}`,
    password: `${oneOf(PLAIN_WORDS, chosen)}-${within([1000, 9999], chosen >>> 8)}`,
  };
}

function namesOf(seed: number, number: number): readonly [first: string, last: string] {
  const chosen = numberFrom(seed, FOR.name, number);
  return [oneOf(FIRST_NAMES, chosen), oneOf(SURNAMES, chosen >>> 12)];
}

const nameOf = (seed: number, number: number): string => namesOf(seed, number).join(' ');

export function ownerNameOf(seed: number, place: Place): string {
  const { number } = place;
  const row = rowOf(place);
  if (row?.usage === 'ORGA')
    return `${namesOf(seed, number)[1]} ${oneOf(FIRMS, numberFrom(seed, FOR.firm, number))}`;
  return row?.joint === true ? `${nameOf(seed, number)} - ${nameOf(seed, number + 1)}` : nameOf(seed, number);
}

/** `count`: of PSUs; a joint account whose second owner is not among them has one. */
export function accountAt(
  place: Place,
  {
    seed,
    count,
    reckoning,
    twoSignatories,
  }: { seed: number; count: number; reckoning: Reckoning; twoSignatories: number },
): Account | undefined {
  const row = rowOf(place);
  if (row === undefined || place.number > count) return undefined;
  const { number } = place;
  const { name, product, cashAccountType, currencies = ['EUR'] } = row;
  const isShared =
    row.joint === true ||
    (row.usage === 'ORGA' && numberFrom(seed, FOR.signatory, number) < twoSignatories * 2 ** 32);
  const second = isShared && number < count ? [psuIdOf(number + 1)] : [];
  return {
    resourceId: resourceIdOf(place),
    iban: ibanAt(place),
    bic: BANK_BIC,
    currency: oneOf(currencies, numberFrom(seed, FOR.currency, number, place.slot)),
    ...{ name, product, cashAccountType },
    status: row.status ?? 'enabled',
    usage: row.usage ?? 'PRIV',
    ownerName: ownerNameOf(seed, place),
    owners: [psuIdOf(number), ...second],
    overdraft: row.overdraft ?? 0,
    openedOn: firstDayOf(0, reckoning.paydayOf(place)),
  };
}

const mayBeShared = (row: AccountRow | undefined): boolean => row?.joint === true || row?.usage === 'ORGA';

/** Also those of the PSU before, of whom the owners tell whether they are shared. */
export function placesOf(number: number): readonly Place[] {
  const own: Place[] = [];
  for (let slot = 1; rowOf({ number, slot }) !== undefined; slot++) own.push({ number, slot });
  if (number === 1) return own;
  for (let slot = 1; rowOf({ number: number - 1, slot }) !== undefined; slot++)
    if (mayBeShared(rowOf({ number: number - 1, slot }))) own.push({ number: number - 1, slot });
  return own;
}
