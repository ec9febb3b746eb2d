/** The records of a folder of bank data: one schema for JSON and CSV, where all cells are texts. */
import * as z from 'zod';
import { isAmount, isBic, isCurrency, isDate, isFixedIdentifier, isIban } from '../../spec/index.js';

const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most, { error: `at most ${most} characters are expected` })
    .refine((given) => !CONTROL.test(given), { error: 'a text without control characters is expected' });
const CONTROL = /\p{Cc}/u;
const whole = (is: (text: string) => boolean, error: string) => z.string({ error }).refine(is, { error });

const ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;
const id = whole(
  (given) => ID.test(given) && !beginsAsFixed(given),
  'an id of letters, digits, dots and hyphens that begins like none of the sandbox is expected',
);
const [EARLIEST, LATEST] = ['1900-01-01', '2199-12-31'];
const date = whole(isDate, 'a date YYYY-MM-DD is expected').refine(
  (given) => !isDate(given) || (given >= EARLIEST && given <= LATEST),
  { error: `a date from ${EARLIEST} to ${LATEST} is expected` },
);
const amount = whole(isAmount, 'an amount such as -12.50 is expected, as a text');
const currency = whole(isCurrency, 'a currency of ISO 4217, such as EUR, is expected');
const iban = whole(isIban, 'an IBAN with its right length and check digits is expected, without blanks');

/** `ACCOUNT_ID_9`: what begins so is looked for in the sandbox. */
function beginsAsFixed(given: string): boolean {
  return Array.from(given, (_, i) => given.slice(0, i + 1)).some(isFixedIdentifier);
}

const OWNERS = 'ids of PSUs are expected, separated by blanks in CSV, an array in JSON';
const owners = z
  .union([z.string().transform((given) => given.split(' ').filter(Boolean)), z.array(z.string())], {
    error: OWNERS,
  })
  .refine((ids) => ids.length > 0 && new Set(ids).size === ids.length, { error: OWNERS });

export const psuRecord = z.strictObject({
  id,
  name: text(70),
  login: text(70),
  password: text(70),
});

export const accountRecord = z.strictObject({
  resourceId: id,
  iban,
  bic: whole(isBic, 'a BIC is expected').optional(),
  currency,
  name: text(70),
  product: text(35).optional(),
  cashAccountType: text(4).optional(),
  status: z.enum(['enabled', 'blocked', 'deleted']).optional(),
  usage: z.enum(['PRIV', 'ORGA']).optional(),
  ownerName: text(140).optional(),
  owners,
  overdraft: whole(
    (given) => isAmount(given) && !given.startsWith('-'),
    'an amount such as 500.00 is expected, as a text, without sign',
  ).optional(),
  openedOn: date.optional(),
});

export const postingRecord = z.strictObject({
  id,
  account: text(64),
  bookingDate: date,
  valueDate: date.optional(),
  amount,
  counterpartyName: text(70).optional(),
  counterpartyIban: iban.optional(),
  counterpartyBban: text(30).optional(),
  remittance: text(140),
  bankTransactionCode: text(35).optional(),
  endToEndId: text(35).optional(),
});

export const BANK_FILES = { psus: psuRecord, accounts: accountRecord, postings: postingRecord } as const;
export type BankFile = keyof typeof BANK_FILES;
export type BankRecord<F extends BankFile> = z.infer<(typeof BANK_FILES)[F]>;

/** Titles of the columns, in the order in which they are written. */
export const columnsOf = (file: BankFile): readonly string[] => Object.keys(BANK_FILES[file].shape);
