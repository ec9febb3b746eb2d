/** Schemas of the sandbox's data files (`data/sandbox/*.json`). Days are counted from today: 0 is today, -1 yesterday. */
import * as z from 'zod';
import { isAmount, isBic, isCurrency, isIban, isPositiveAmount } from './formats.js';

const text = z.string().min(1);
const day = z.int().min(-400).max(400);
const iban = z.string().refine(isIban, { error: 'a valid IBAN is expected' });
const bic = z.string().refine(isBic, { error: 'a BIC is expected' });
const currency = z.string().refine(isCurrency, { error: 'an ISO 4217 currency is expected' });
const amount = z.string().refine(isAmount, { error: 'an amount such as -12.50 is expected, as a string' });
const positiveAmount = z
  .string()
  .refine(isPositiveAmount, { error: 'an amount greater than zero is expected, as a string' });

const accountsFile = z.strictObject({
  bank: z.strictObject({ name: text, bic }),
  accounts: z
    .array(
      z.strictObject({
        resourceId: text,
        iban,
        bic,
        currency,
        name: text.max(70),
        product: text.max(35),
        cashAccountType: text,
      }),
    )
    .min(1),
});

const balancesFile = z.record(
  text,
  z.array(
    z.strictObject({
      balanceType: z.enum([
        'closingBooked',
        'expected',
        'openingBooked',
        'interimAvailable',
        'interimBooked',
        'forwardAvailable',
        'nonInvoiced',
      ]),
      amount,
      currency,
      referenceDay: day,
      lastChange: z.strictObject({ day, time: z.iso.time() }),
    }),
  ),
);

const entry = {
  transactionId: text,
  valueDay: day,
  amount,
  counterparty: z.strictObject({ name: text.max(70), iban }),
  remittance: text.max(140),
  bankTransactionCode: text,
} as const;

const transactionsFile = z.strictObject({
  pageSize: z.int().min(1).max(100),
  booked: z.array(z.strictObject({ ...entry, bookingDay: day.max(0) })),
  pending: z.array(z.strictObject(entry)),
});

const paymentFile = z.looseObject({
  instructedAmount: z.strictObject({ currency, amount: positiveAmount }),
  debtorAccount: z.strictObject({ iban }),
  creditorAccount: z.union([z.strictObject({ iban }), z.strictObject({ bban: text })]),
  creditorName: text.max(70),
  requestedExecutionDay: day,
});

/** One schema a file; the name of the file is the member's. */
export const SANDBOX_FILES = {
  accounts: accountsFile,
  balances: balancesFile,
  transactions: transactionsFile,
  payments: z.strictObject({ SCT: paymentFile, CBP: paymentFile }),
  funds: z.strictObject({ iban, currency, balance: amount, overdraft: amount }),
} as const;

export type SandboxData = {
  readonly [F in keyof typeof SANDBOX_FILES]: Readonly<z.infer<(typeof SANDBOX_FILES)[F]>>;
};
