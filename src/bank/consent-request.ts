/** The demand of a TPP for a consent, read from the body of its creation. */
import { memberOf } from '../exchange/index.js';
import { bankDayAt, type Dialect, dateOf, isDate } from '../spec/index.js';
import type { LivingPopulation } from './books.js';
import type { Access, BankConsent } from './facts.js';
import { accountNamed, type Population } from './population/index.js';

export interface RequestFault {
  readonly code: 'FORMAT_ERROR' | 'RESOURCE_UNKNOWN';
  readonly path: string;
  readonly text: string;
}

export interface ConsentRequest
  extends Pick<BankConsent, 'id' | 'tpp' | 'explicit' | 'redirectUri' | 'nokRedirectUri'> {
  readonly body: unknown;
}

/** Both spellings of the third are in use. */
const GLOBAL = {
  allPsd2: 'allPsd2',
  availableAccounts: 'availableAccounts',
  availableAccountsWithBalance: 'availableAccountsWithBalance',
  availableAccountsWithBalances: 'availableAccountsWithBalance',
} as const satisfies Record<string, Access['kind']>;
const LISTS = ['accounts', 'balances', 'transactions'] as const;
/** More than anybody has, in each list. */
const MOST_ACCOUNTS = 1_000;
const LONGEST_VALUE = 50;
const NOTHING = { accounts: [], balances: [], transactions: [], ownerNames: [] };

/** A new consent in status received, without authorisations; or what is wrong with the request. */
export function openConsent(
  request: ConsentRequest,
  population: LivingPopulation,
  limits: Pick<Dialect, 'consentDays' | 'accessesPerDay'>,
  now: number,
): BankConsent | RequestFault {
  const { body, ...own } = request;
  const asked = memberOf(body, 'access');
  if (typeof asked !== 'object' || asked === null) return formatError('access', 'The access is missing.');
  const read = accessIn(asked, population);
  if ('code' in read) return read;
  const until = memberOf(body, 'validUntil');
  if (typeof until !== 'string' || !isDate(until))
    return formatError('validUntil', 'validUntil is to be a date, YYYY-MM-DD.');
  const today = bankDayAt(now);
  if (until < dateOf(today)) return formatError('validUntil', 'validUntil lies in the past.');
  const recurring = memberOf(body, 'recurringIndicator') === true;
  return {
    ...own,
    createdAt: now,
    ...read,
    recurring,
    frequencyPerDay: frequencyOf(memberOf(body, 'frequencyPerDay'), recurring, limits),
    validUntil: earlier(
      until,
      dateOf(today + limits.consentDays * (population.draws?.consentSpans(own.tpp, now) ?? 1)),
    ),
    psu: null,
    scaAt: null,
    usedAt: null,
    historyAt: null,
    lastActionAt: now,
    end: null,
    authorisations: [],
  };
}

/** Reading `frequency-granted`. */
function frequencyOf(
  asked: unknown,
  recurring: boolean,
  { accessesPerDay }: Pick<Dialect, 'accessesPerDay'>,
): number {
  if (!recurring || typeof asked !== 'number') return 1;
  return Math.max(1, Math.min(asked, accessesPerDay));
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

function accessIn(
  body: object,
  population: Population,
): Pick<BankConsent, 'asked' | 'access'> | RequestFault {
  for (const [name, kind] of Object.entries(GLOBAL)) {
    const value = memberOf(body, name);
    if (typeof value === 'string')
      return { asked: { [name]: value.slice(0, LONGEST_VALUE) }, access: { kind, ...NOTHING } };
  }
  const given = LISTS.filter((name) => Array.isArray(memberOf(body, name)));
  if (given.length === 0) return formatError('access', 'The access names nothing that is offered.');
  const lists: Record<(typeof LISTS)[number], readonly string[]> = { ...NOTHING };
  for (const name of given) {
    const ids = idsIn(memberOf(body, name), `access.${name}`, population);
    if ('code' in ids) return ids;
    lists[name] = ids;
  }
  const names = memberOf(memberOf(body, 'additionalInformation'), 'ownerName');
  const named = idsIn(names, 'access.additionalInformation.ownerName', population);
  if ('code' in named) return named;
  const kind = given.every((name) => lists[name].length === 0) ? 'offered' : 'dedicated';
  // An empty list of names is for all accounts that are given.
  const isForAll = Array.isArray(names) && names.length === 0;
  const ownerNames = isForAll ? [...new Set(LISTS.flatMap((name) => lists[name]))] : named;
  const asked = {
    ...Object.fromEntries(given.map((name) => [name, []])),
    ...(Array.isArray(names) ? { additionalInformation: { ownerName: [] } } : {}),
  };
  return { asked, access: { kind, ...lists, ownerNames } };
}

/** Reading `consent-account-unknown`. */
function idsIn(list: unknown, path: string, population: Population): readonly string[] | RequestFault {
  const references: readonly unknown[] = Array.isArray(list) ? list : [];
  if (references.length > MOST_ACCOUNTS)
    return formatError(path, `A consent names at most ${MOST_ACCOUNTS} accounts.`);
  const ids = new Set<string>();
  for (const [i, reference] of references.entries()) {
    const account = accountNamed(population, reference) ?? accountWithId(population, reference);
    const currency = memberOf(reference, 'currency') ?? account?.currency;
    if (account === undefined || account.currency !== currency)
      return {
        code: 'RESOURCE_UNKNOWN',
        path: `${path}[${i}]`,
        text: `The bank has no account ${textOf(reference, account && currency)}. The command “sandgate bank psus” lists those it has.`,
      };
    ids.add(account.resourceId);
  }
  return [...ids];
}

function accountWithId(population: Population, reference: unknown) {
  const id = memberOf(reference, 'iban') === undefined ? memberOf(reference, 'resourceId') : undefined;
  return typeof id === 'string' ? population.account(id) : undefined;
}

/** `currency`: where it is only that which does not fit. */
function textOf(reference: unknown, currency: unknown): string {
  const named = memberOf(reference, 'iban') ?? memberOf(reference, 'resourceId');
  const account = typeof named === 'string' ? named.slice(0, 40) : 'that is named in this way';
  return currency === undefined ? account : `${account} in ${String(currency).slice(0, 10)}`;
}

function formatError(path: string, text: string): RequestFault {
  return { code: 'FORMAT_ERROR', path, text };
}
