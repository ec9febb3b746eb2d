/** Writes a folder of bank data: a population between two days, as it is read back. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Account, amountText, type Population, type Posting, type Psu } from '../../bank/index.js';
import { csvLine } from '../../files/index.js';
import { dateOf, SandgateError, unwritable } from '../../spec/index.js';
import { type BankFile, columnsOf, MOST_RECORDS } from './read-records.js';

type BankDataFormat = 'json' | 'csv';

export interface BankDataParts {
  readonly population: Population;
  /** Days, both among them; what an account had before is brought forward to the first. */
  readonly from: number;
  readonly to: number;
  readonly format: BankDataFormat;
  /** Called with how many PSUs are done; what it gives back is awaited. */
  readonly onPsu?: (done: number) => Promise<void> | undefined;
}

/** The folder is there as a whole or not at all: it is written under another name beside its place. */
export async function writeBankData(folder: string, parts: BankDataParts) {
  const target = resolve(folder);
  if ((await contentOf(target, folder)).length > 0)
    throw new SandgateError('bank.folder-not-empty', { folder });
  const draft = join(dirname(target), `.${basename(target)}-${randomUUID()}`);
  try {
    await mkdir(draft, { recursive: true });
    const written = await writeFiles(draft, parts);
    await rmdir(target).catch(() => undefined);
    await rename(draft, target);
    return written;
  } catch (cause) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw cause instanceof SandgateError ? cause : unwritable(folder, cause);
  }
}

async function contentOf(target: string, folder: string): Promise<readonly string[]> {
  try {
    return await readdir(target);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unwritable(folder, cause);
  }
}

const WHOLE = { flag: 'wx', flush: true } as const;

async function writeFiles(draft: string, parts: BankDataParts) {
  const { population, format } = parts;
  const written = { psus: population.count, accounts: 0, postings: 0 };
  const count = (file: 'accounts' | 'postings', records: readonly Cells[]) => {
    written[file] += records.length;
    if (written[file] > MOST_RECORDS[file])
      throw new SandgateError('bank.generates-too-many', {
        most: MOST_RECORDS[file].toLocaleString('en'),
        what: file,
      });
    return records;
  };
  const write = (file: BankFile, of: (psu: Psu) => readonly Cells[], tell?: BankDataParts['onPsu']) =>
    writeFile(
      join(draft, `${file}.${format}`),
      linesOf(file, format, recordsOf(population, of, tell)),
      WHOLE,
    );
  await write('psus', (psu) => [{ ...psu }]);
  await write('accounts', ({ id }) => count('accounts', openedBy(population, id).map(accountCells)));
  await write(
    'postings',
    ({ id }) =>
      count(
        'postings',
        openedBy(population, id).flatMap((one) => postingsIn(one, parts)),
      ),
    parts.onPsu,
  );
  return written;
}

type Cells = Readonly<Record<string, string | readonly string[] | undefined>>;

async function* recordsOf(
  population: Population,
  of: (psu: Psu) => readonly Cells[],
  onPsu: BankDataParts['onPsu'],
): AsyncGenerator<readonly Cells[]> {
  for (let done = 0; done < population.count; done++) {
    for (const psu of population.psus(done, 1)) yield of(psu);
    await onPsu?.(done + 1);
  }
}

async function* linesOf(
  file: BankFile,
  format: BankDataFormat,
  records: AsyncIterable<readonly Cells[]>,
): AsyncGenerator<string> {
  const columns = columnsOf(file);
  if (format === 'csv') yield csvLine(columns);
  let before = '[\n';
  for await (const some of records) {
    if (format === 'csv')
      yield some.map((cells) => csvLine(columns.map((name) => cellText(cells[name])))).join('');
    else
      for (const cells of some) {
        yield `${before}  ${JSON.stringify(cells)}`;
        before = ',\n';
      }
  }
  if (format === 'json') yield before === ',\n' ? '\n]\n' : '[]\n';
}

const cellText = (cell: Cells[string]): string =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : cell.join(' ');

/** A joint account is written with the PSU who stands first among its owners. */
function openedBy(population: Population, psu: string): readonly Account[] {
  return population.accountsOf(psu).filter(({ owners }) => owners[0] === psu);
}

function accountCells({ overdraft, openedOn, signatories: _, ...account }: Account): Cells {
  return { ...account, overdraft: amountText(overdraft, account.currency), openedOn: dateOf(openedOn) };
}

function postingsIn({ resourceId, currency }: Account, { population, from, to }: BankDataParts): Cells[] {
  const count = population.countPostings(resourceId, from, to);
  const postings = population.postingsPage(resourceId, from, to, 0, count).toReversed();
  const before = population.balance(resourceId, from - 1);
  const all = before === 0 ? postings : [broughtForward(resourceId, from, before), ...postings];
  return all.map((posting) => postingCells(posting, currency));
}

const broughtForward = (account: string, day: number, amount: number): Posting => ({
  id: `${account}-before`,
  account,
  bookingDay: day,
  valueDay: day,
  amount,
  counterparty: null,
  remittance: 'Saldo overgedragen / Balance brought forward',
  bankTransactionCode: 'ACMT-OPCL-ACCO',
});

function postingCells(
  { bookingDay, valueDay, amount, counterparty, ...posting }: Posting,
  currency: string,
): Cells {
  return {
    id: posting.id,
    account: posting.account,
    bookingDate: dateOf(bookingDay),
    valueDate: dateOf(valueDay),
    amount: amountText(amount, currency),
    counterpartyName: counterparty?.name,
    counterpartyIban: counterparty?.iban,
    counterpartyBban: counterparty?.bban,
    remittance: posting.remittance,
    bankTransactionCode: posting.bankTransactionCode,
    endToEndId: posting.endToEndId,
  };
}
