/** Reads one file of a folder of bank data, JSON or CSV, into records with the line of each. */
import { join } from 'node:path';
import * as z from 'zod';
import { parseJsonText } from '../../exchange/index.js';
import { parseCsv, readText } from '../../files/index.js';
import {
  inPlainWords,
  isAmount,
  isBic,
  isCurrency,
  isDate,
  isFixedIdentifier,
  isIban,
  nearestOf,
  SandgateError,
} from '../../spec/index.js';
import { isFile } from '../config/read-file.js';

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

const psuRecord = z.strictObject({
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

const postingRecord = z.strictObject({
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

const BANK_FILES = { psus: psuRecord, accounts: accountRecord, postings: postingRecord } as const;
export type BankFile = keyof typeof BANK_FILES;
export type BankRecord<F extends BankFile> = z.infer<(typeof BANK_FILES)[F]>;

export const columnsOf = (file: BankFile): readonly string[] => Object.keys(BANK_FILES[file].shape);

/** A record and where it stands: what is wrong with it is told by file, line and field. */
export interface Placed<R> {
  readonly value: R;
  readonly wrong: (problem: string, field?: string) => SandgateError;
}

interface Raw {
  readonly value: unknown;
  readonly lineOf: (field?: string) => number;
}

export const MOST_RECORDS: Readonly<Record<BankFile, number>> = {
  psus: 100_000,
  accounts: 300_000,
  postings: 1_000_000,
};

/** What a decoder puts for bytes that are none of UTF-8, such as those of Latin-1. */
const NO_UTF8 = '\ufffd';

const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;

export function readRecords<F extends BankFile>(folder: string, name: F): readonly Placed<BankRecord<F>>[] {
  const file = fileIn(folder, name);
  const text = readText(file);
  const foreign = text.indexOf(NO_UTF8);
  if (foreign >= 0)
    throw faultOf(file, lineAt(text, foreign), 'what stands here is not UTF-8; save the file as UTF-8');
  const raw = file.endsWith('.csv') ? fromCsv(text, file, name) : fromJson(text, file);
  const most = MOST_RECORDS[name];
  if (raw.length > most)
    throw new SandgateError('bank.too-many', { file, most: most.toLocaleString('en'), what: name });
  return raw.map(({ value, lineOf }): Placed<BankRecord<F>> => {
    const wrong = (problem: string, field?: string) => faultOf(file, lineOf(field), problem, field);
    const read = BANK_FILES[name].safeParse(value, { error: inPlainWords });
    if (read.success) return { value: read.data as BankRecord<F>, wrong };
    const [issue] = read.error.issues;
    const [field] = issue?.path ?? [];
    const named = field === undefined ? undefined : String(field);
    throw wrong(`${issue?.message ?? 'it is not as expected'}${foundIn(value, named)}`, named);
  });
}

function fileIn(folder: string, name: BankFile): string {
  const found = ['json', 'csv'].map((ending) => join(folder, `${name}.${ending}`)).filter(isFile);
  const [file] = found;
  if (file === undefined) throw new SandgateError('bank.no-file', { folder, name });
  if (found.length > 1) throw new SandgateError('bank.two-files', { folder, name });
  return file;
}

/** What stands there instead; a password is not repeated. */
function foundIn(value: unknown, field: string | undefined): string {
  if (field === undefined || field === 'password') return '';
  const found = (value as Readonly<Record<string, unknown>>)[field];
  const text = typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
  return text === '' ? '' : `, not “${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
}

function faultOf(file: string, line: number, problem: string, field?: string): SandgateError {
  const place = field === undefined ? '' : `, ${field}`;
  return new SandgateError('bank.data', { file, line, place, problem });
}

/** An empty cell says nothing. */
function fromCsv(text: string, file: string, name: BankFile): Raw[] {
  const rows = parseCsv(text);
  if ('problem' in rows) throw faultOf(file, rows.line, rows.problem);
  const [head, ...body] = rows;
  if (head === undefined) throw new SandgateError('file.empty', { file });
  const columns = columnsOf(name);
  const unknown = head.cells.find((title, i) => !columns.includes(title) || head.cells.indexOf(title) !== i);
  if (unknown !== undefined) throw faultOf(file, head.line, titleProblem(unknown, columns));
  return body.map(({ line, cells }) => {
    if (cells.length !== head.cells.length)
      throw faultOf(file, line, `it has ${cells.length} cells, and the titles are ${head.cells.length}`);
    const pairs = head.cells.map((title, i) => [title, cells[i] ?? ''] as const);
    return { value: Object.fromEntries(pairs.filter(([, cell]) => cell !== '')), lineOf: () => line };
  });
}

function titleProblem(title: string, columns: readonly string[]): string {
  if (columns.includes(title)) return `the column “${title}” is there twice`;
  if (title.includes(';')) return 'columns are separated by commas, not by semicolons';
  return `there is no column “${title}”; the nearest is “${nearestOf(title, columns)}”`;
}

function fromJson(text: string, file: string): Raw[] {
  const value = parseJsonText(text, file);
  if (!Array.isArray(value)) throw faultOf(file, 1, 'an array of records is expected');
  return value.map((one, index) => ({ value: one, lineOf: (field) => lineInJson(text, index, field) }));
}

/** The line of a record of an array, or of a member of it. Only asked for once something is wrong. */
function lineInJson(text: string, index: number, field: string | undefined): number {
  const begins = recordBegins(text, index);
  const named = field === undefined ? -1 : text.indexOf(`"${field}"`, begins);
  const place = named >= 0 && named < recordBegins(text, index + 1) ? named : begins;
  return lineAt(text, place);
}

/** Where the record of that number begins in the text of an array; its end: there is none. */
function recordBegins(text: string, index: number): number {
  let [depth, left] = [0, index];
  let awaited = false;
  for (const { 0: token, index: at } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|[^\s[\]{},"]+/g)) {
    if (awaited && token !== ']' && left-- === 0) return at;
    awaited = false;
    if (token === '[' || token === '{') awaited = ++depth === 1;
    else if (token === ']' || token === '}') depth--;
    else if (token === ',') awaited = depth === 1;
  }
  return text.length;
}
