/** Reads a folder of bank data: who there is, what they have, what was booked. All of it, or an error that says where. */
import {
  type Account,
  BANK_BIC,
  createHabitualPopulation,
  createListedPopulation,
  createPopulation,
  type LivingPopulation,
  minorUnits,
  type Population,
  type Posting,
  type Psu,
} from '../../bank/index.js';
import { dayOf } from '../../spec/index.js';
import { readHabits } from '../config/bank-habits.js';
import type { Config } from '../config/config.js';
import { type BankRecord, type Placed, readRecords } from './read-records.js';

/** @throws SandgateError where the files of `bankData` or `bankHabits` are not as they should be */
export function openPopulation(
  config: Pick<Config, 'bankSeed' | 'bankPsus' | 'bankData' | 'bankHabits'>,
): LivingPopulation {
  const { bankSeed, bankPsus, bankData, bankHabits } = config;
  const habits = readHabits(bankHabits);
  const { twoSignatories } = habits.accounts;
  const population =
    bankData === undefined
      ? createPopulation({ seed: bankSeed, count: bankPsus, twoSignatories })
      : loadBankData(bankData);
  return createHabitualPopulation(population, habits, bankSeed);
}

/** The folder is the whole bank: nothing of the seed is beside it. @throws SandgateError that names file, line and field */
export function loadBankData(folder: string): Population {
  const psus = psusOf(readRecords(folder, 'psus'));
  const names = new Map(psus.map(({ id, name }) => [id, name]));
  const accounts = accountsOf(readRecords(folder, 'accounts'), names);
  const postings = postingsOf(readRecords(folder, 'postings'), accounts);
  const opened = new Map<string, number>();
  for (const { account, bookingDay } of postings)
    opened.set(account, Math.min(bookingDay, opened.get(account) ?? bookingDay));
  return createListedPopulation({
    psus,
    accounts: accounts.map((one) => ({ ...one, openedOn: one.openedOn ?? opened.get(one.resourceId) ?? 0 })),
    postings,
  });
}

function createOnce() {
  const seen = new Set<string>();
  return <R>({ wrong }: Placed<R>, field: string, value: string): void => {
    if (seen.has(value)) throw wrong(`“${value}” is there twice`, field);
    seen.add(value);
  };
}

function psusOf(records: readonly Placed<BankRecord<'psus'>>[]): readonly Psu[] {
  const [ids, logins] = [createOnce(), createOnce()];
  return records.map((record) => {
    ids(record, 'id', record.value.id);
    logins(record, 'login', record.value.login);
    return record.value;
  });
}

type Unopened = Omit<Account, 'openedOn'> & { readonly openedOn: number | undefined };

function accountsOf(
  records: readonly Placed<BankRecord<'accounts'>>[],
  names: ReadonlyMap<string, string>,
): readonly Unopened[] {
  const [ids, ibans] = [createOnce(), createOnce()];
  return records.map((record): Unopened => {
    const { value, wrong } = record;
    const { resourceId, iban, currency, owners } = value;
    ids(record, 'resourceId', resourceId);
    ibans(record, 'iban', iban);
    const stranger = owners.find((owner) => !names.has(owner));
    if (stranger !== undefined) throw wrong(`there is no PSU “${stranger}” in the file of PSUs`, 'owners');
    const overdraft = minorUnits(value.overdraft ?? '0', currency);
    if (overdraft === undefined) throw wrong(decimalsProblem(value.overdraft, currency), 'overdraft');
    return {
      resourceId,
      iban,
      currency,
      owners,
      overdraft,
      name: value.name,
      bic: value.bic ?? BANK_BIC,
      product: value.product ?? 'Sandgate Current',
      cashAccountType: value.cashAccountType ?? 'CACC',
      status: value.status ?? 'enabled',
      usage: value.usage ?? 'PRIV',
      ownerName: value.ownerName ?? owners.map((owner) => names.get(owner)).join(' - '),
      openedOn: value.openedOn === undefined ? undefined : dayOfText(value.openedOn),
    };
  });
}

function postingsOf(
  records: readonly Placed<BankRecord<'postings'>>[],
  accounts: readonly Unopened[],
): readonly Posting[] {
  const once = createOnce();
  const moved = new Map<string, number>();
  const byName = new Map(accounts.flatMap((one) => [one.resourceId, one.iban].map((name) => [name, one])));
  return records.map((record): Posting => {
    const { value, wrong } = record;
    once(record, 'id', value.id);
    const account = byName.get(value.account);
    if (account === undefined)
      throw wrong(`no account has the resource id or IBAN “${value.account}”`, 'account');
    const amount = minorUnits(value.amount, account.currency);
    if (amount === undefined) throw wrong(decimalsProblem(value.amount, account.currency), 'amount');
    const all = (moved.get(account.resourceId) ?? 0) + Math.abs(amount);
    moved.set(account.resourceId, all);
    if (!Number.isSafeInteger(all))
      throw wrong(
        `the sum of the postings of “${value.account}” is too large to be reckoned to the last unit`,
        'amount',
      );
    if (amount === 0) throw wrong('nothing is booked by an amount of zero', 'amount');
    return {
      id: value.id,
      account: account.resourceId,
      bookingDay: dayOfText(value.bookingDate),
      valueDay: dayOfText(value.valueDate ?? value.bookingDate),
      amount,
      counterparty: counterpartyOf(record),
      remittance: value.remittance,
      bankTransactionCode: value.bankTransactionCode ?? (amount < 0 ? 'PMNT-ICDT-ESCT' : 'PMNT-RCDT-ESCT'),
      ...(value.endToEndId === undefined ? {} : { endToEndId: value.endToEndId }),
    };
  });
}

function counterpartyOf({ value, wrong }: Placed<BankRecord<'postings'>>): Posting['counterparty'] {
  const { counterpartyName: name, counterpartyIban: iban, counterpartyBban: bban } = value;
  if (iban !== undefined && bban !== undefined)
    throw wrong('an account has an IBAN or a BBAN; omit one of them', 'counterpartyBban');
  if (name !== undefined) return { name, ...(iban && { iban }), ...(bban && { bban }) };
  if (iban ?? bban) throw wrong('it is missing; whose account it is, is expected', 'counterpartyName');
  return null;
}

const decimalsProblem = (text: string | undefined, currency: string): string =>
  `an amount of ${currency} that can be reckoned to the last unit is expected, not “${text}”`;

const dayOfText = (date: string): number => dayOf(Date.parse(date));
