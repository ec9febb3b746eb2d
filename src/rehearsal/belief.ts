/** Compares what the application believes with the books of the bank. */
import * as z from 'zod';
import { inPlainWords } from '../spec/index.js';
import type { Difference } from './result.js';

const amount = z
  .union([z.string().max(40), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^-?\d{1,18}(?:\.\d{1,5})?$/, { error: 'an amount is expected, such as "12.50"' }));

const beliefSchema = z.object({
  accounts: z
    .array(
      z.object({
        iban: z.string(),
        balance: amount.nullish(),
        transactions: z.int().nullish(),
        sum: amount.nullish(),
      }),
    )
    .optional(),
  payments: z
    .array(z.object({ endToEndIdentification: z.string().nullish(), amount, status: z.string().nullish() }))
    .optional(),
  consents: z.array(z.object({ status: z.string() })).optional(),
});
export type Belief = z.infer<typeof beliefSchema>;

export interface BookedAccount {
  readonly iban: string;
  readonly balance: string;
  /** One for each day from which the application asked for transactions, the oldest first: it may keep any of them. */
  readonly periods: readonly { readonly transactions: number; readonly sum: string }[];
}

export interface BookedPayment {
  readonly endToEndIdentification: string | null;
  readonly amount: string;
  readonly status: string;
  /** Nobody authorised it, so that nothing comes of it. */
  readonly isOpen: boolean;
  /** It is of an action of which the PSU was told that it failed: the application may know it or not. */
  readonly isExcused: boolean;
}

export interface Booked {
  /** The accounts that the application may read, and has read. */
  readonly accounts: readonly BookedAccount[];
  readonly payments: readonly BookedPayment[];
  readonly validConsents: number;
}

/** The belief, or what is wrong with it. */
export function readBelief(text: string): Belief | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `belief is no JSON: it begins with “${text.slice(0, 60)}”`;
  }
  const parsed = beliefSchema.safeParse(json, { error: inPlainWords, jitless: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `belief cannot be read at ${issue?.path.map(String).join('.') || 'its top'}: ${issue?.message}`;
}

export function differencesOf({ accounts, payments, consents }: Belief, booked: Booked): Difference[] {
  return [
    ...(accounts === undefined ? [] : ofAccounts(accounts, booked.accounts)),
    ...(payments === undefined ? [] : ofPayments(payments, booked.payments)),
    ...(consents === undefined ? [] : ofConsents(consents, booked.validConsents)),
  ];
}

function ofAccounts(
  believed: NonNullable<Belief['accounts']>,
  booked: readonly BookedAccount[],
): Difference[] {
  return booked.flatMap(({ iban, balance, periods }) => {
    const [one, ...more] = believed.filter((account) => account.iban === iban);
    if (one === undefined) return [{ of: `account ${iban}`, believed: NOTHING, booked: balance }];
    if (more.length > 0)
      return [{ of: `account ${iban}`, believed: `${more.length + 1} accounts`, booked: 'one account' }];
    const isSame = (period: (typeof periods)[number]) =>
      (one.transactions == null || one.transactions === period.transactions) &&
      (one.sum == null || isSameAmount(one.sum, period.sum));
    const [period = { transactions: 0, sum: '0.00' }] = periods;
    const told = [
      [`balance of ${iban}`, one.balance, balance, one.balance == null || isSameAmount(one.balance, balance)],
      [`transactions of ${iban}`, one.transactions, period.transactions, periods.some(isSame)],
      [`sum of transactions of ${iban}`, one.sum, period.sum, periods.some(isSame)],
    ] as const;
    return told.flatMap(([of, what, is, isRight]) =>
      what == null || isRight || String(what) === String(is)
        ? []
        : [{ of, believed: String(what), booked: String(is) }],
    );
  });
}

export const NOTHING = 'nothing';

/** Without trailing zeros of the fraction, so that 12.5 is 12.50. */
const plain = (text: string): string =>
  text.includes('.') ? text.replace(/0{1,5}$/, '').replace(/\.$/, '') : text;
const isSameAmount = (a: string, b: string): boolean => plain(a).replace(/^-0$/, '0') === plain(b);

type BelievedPayment = NonNullable<Belief['payments']>[number];

/** By endToEndIdentification where both say it, else by amount; an application that says it does not know is not wrong. */
function ofPayments(believed: readonly BelievedPayment[], booked: readonly BookedPayment[]): Difference[] {
  const left = [...believed];
  const take = (fits: (one: BelievedPayment) => boolean) => {
    const place = left.findIndex(fits);
    return place < 0 ? undefined : left.splice(place, 1)[0];
  };
  // First those that agree in all: two payments may have one reference, or one amount.
  const others = booked.filter(
    (payment) => take((one) => isOne(one, payment) && one.status === payment.status) === undefined,
  );
  const found = others.flatMap((payment): Difference[] => {
    const of = `payment of ${payment.amount}`;
    const one = take((some) => isOne(some, payment));
    if (one === undefined)
      return payment.isExcused ? [] : [{ of, believed: NOTHING, booked: payment.status }];
    const isHonest = one.status == null || one.status === 'unknown';
    if (isHonest && payment.isOpen) return [];
    return [{ of, believed: one.status ?? 'unknown', booked: payment.status }];
  });
  // It may keep what it meant to pay; it may not take it for paid.
  const strangers = left.filter(({ status }) => status != null && status !== 'unknown');
  return [
    ...found,
    ...strangers.map(({ amount: of, status }) => ({
      of: `payment of ${of}`,
      believed: String(status),
      booked: NOTHING,
    })),
  ];
}

const isOne = (one: BelievedPayment, payment: BookedPayment): boolean =>
  one.endToEndIdentification != null && payment.endToEndIdentification !== null
    ? one.endToEndIdentification === payment.endToEndIdentification
    : isSameAmount(one.amount, payment.amount);

function ofConsents(believed: NonNullable<Belief['consents']>, valid: number): Difference[] {
  const count = believed.filter(({ status }) => status === 'valid').length;
  return count === valid ? [] : [{ of: 'valid consents', believed: String(count), booked: String(valid) }];
}
