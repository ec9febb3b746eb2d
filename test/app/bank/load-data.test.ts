/** Folders of bank data: what is read from them, and what is said of those that are not as they should be. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBankData } from '../../../src/app/bank/index.js';
import { dayOf, SandgateError } from '../../../src/spec/index.js';
import { folderOfFile } from '../../folder.js';

const root = folderOfFile();
const temporaryFolder = (): string => mkdtempSync(join(root, 'one-'));

const PSUS = `id,name,login,password
anna,Anna Maes,anna,geheim-1
bram,Bram Claes,bram,geheim-2
`;
const ACCOUNTS = `resourceId,iban,currency,name,owners,overdraft
anna-current,BE71096123456769,EUR,Current account,anna,500.00
shared,BE68539007547034,EUR,Household,anna bram,
yen,BE43068999999501,JPY,Yen,bram,
`;
const POSTINGS = `id,account,bookingDate,amount,counterpartyName,counterpartyIban,remittance
t-1,anna-current,2026-01-02,1000.00,,,Opening
t-2,BE71096123456769,2026-01-05,-12.5,"Bakker ""De Vlier"", Leuven",BE62510007547061,Bread
t-3,yen,2026-01-05,1250,Work,,Fee
`;
const FILES = { 'psus.csv': PSUS, 'accounts.csv': ACCOUNTS, 'postings.csv': POSTINGS };

/** `without`: names of files that are not there. */
function folderOf(files: Readonly<Record<string, string | Buffer>>, without: readonly string[] = []): string {
  const folder = join(temporaryFolder(), 'own-bank');
  mkdirSync(folder);
  for (const [name, text] of Object.entries({ ...FILES, ...files }))
    if (!without.includes(name)) writeFileSync(join(folder, name), text);
  return folder;
}

/** What is said of a folder, without the path before it. */
function saidOf(folder: string): string {
  try {
    loadBankData(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(SandgateError);
    return (error as SandgateError).message.replaceAll(`${folder}/`, '').replaceAll(folder, 'DIR');
  }
  throw new Error('nothing was said');
}

const day = (date: string) => dayOf(Date.parse(date));

describe('a folder of bank data', () => {
  it('is the whole bank: PSUs, accounts with what was left out, and postings by id or IBAN', () => {
    const bank = loadBankData(folderOf({}));
    expect([bank.seed, bank.count]).toEqual([null, 2]);
    expect(bank.psuByLogin('bram')?.name).toBe('Bram Claes');
    expect(bank.account('shared')).toEqual({
      ...{ resourceId: 'shared', iban: 'BE68539007547034', bic: 'SDGTBEBB', currency: 'EUR' },
      ...{ name: 'Household', product: 'Sandgate Current', cashAccountType: 'CACC', status: 'enabled' },
      ...{ usage: 'PRIV', ownerName: 'Anna Maes - Bram Claes', owners: ['anna', 'bram'], overdraft: 0 },
      openedOn: 0,
    });
    expect(bank.account('anna-current')).toMatchObject({ overdraft: 500_00, openedOn: day('2026-01-02') });
    expect(bank.postings('anna-current', day('2026-01-05'))).toEqual([
      {
        ...{ id: 't-2', account: 'anna-current', bookingDay: day('2026-01-05'), valueDay: day('2026-01-05') },
        ...{ amount: -12_50, remittance: 'Bread', bankTransactionCode: 'PMNT-ICDT-ESCT' },
        counterparty: { name: 'Bakker "De Vlier", Leuven', iban: 'BE62510007547061' },
      },
    ]);
    expect(bank.balance('anna-current', day('2026-01-05'))).toBe(987_50);
    expect(bank.balance('yen', day('2026-01-05'))).toBe(1250);
  });

  it('may be JSON, also in part', () => {
    const psus = JSON.stringify([{ id: 'anna', name: 'Anna', login: 'a', password: 'b' }]);
    const accounts = `[{"resourceId": "x", "iban": "BE71096123456769", "currency": "EUR", "name": "X", "owners": ["anna"]}]`;
    const folder = folderOf({ 'psus.json': psus, 'accounts.json': accounts, 'postings.csv': 'id\n' }, [
      'psus.csv',
      'accounts.csv',
    ]);
    expect(loadBankData(folder).accountsOf('anna')).toMatchObject([{ resourceId: 'x' }]);
  });

  const psu = (line: string) => ({ 'psus.csv': PSUS + line });
  const account = (line: string) => ({ 'accounts.csv': ACCOUNTS + line });
  const posting = (line: string) => ({ 'postings.csv': POSTINGS + line });
  it.each<[string, Readonly<Record<string, string | Buffer>>, string]>([
    ['an id twice', psu('anna,A,b,c\n'), 'psus.csv, line 4, id: “anna” is there twice.'],
    ['a login twice', psu('c,C,bram,c\n'), 'psus.csv, line 4, login: “bram” is there twice.'],
    ['an empty field', psu('c,,c,c\n'), 'psus.csv, line 4, name: it is missing; a text is expected.'],
    ['too few cells', psu('c,C\n'), 'psus.csv, line 4: it has 2 cells, and the titles are 4.'],
    [
      'an id that cannot stand in a URL',
      psu('a/b,C,c,c\n'),
      'psus.csv, line 4, id: an id of letters, digits, dots and hyphens that begins like none of the sandbox is expected, not “a/b”.',
    ],
    [
      'an id of the sandbox',
      account('ACCOUNT_ID_7,BE30068999999511,EUR,X,anna,\n'),
      'accounts.csv, line 5, resourceId: an id of letters, digits, dots and hyphens that begins like none of the sandbox is expected, not “ACCOUNT_ID_7”.',
    ],
    [
      'wrong check digits',
      account('x,BE72096123456769,EUR,X,anna,\n'),
      'accounts.csv, line 5, iban: an IBAN with its right length and check digits is expected, without blanks, not “BE72096123456769”.',
    ],
    [
      'an IBAN twice',
      account('x,BE71096123456769,EUR,X,anna,\n'),
      'accounts.csv, line 5, iban: “BE71096123456769” is there twice.',
    ],
    [
      'an owner who is not there',
      account('x,NL91ABNA0417164300,EUR,X,anna carl,\n'),
      'accounts.csv, line 5, owners: there is no PSU “carl” in the file of PSUs.',
    ],
    [
      'an owner twice',
      account('x,NL91ABNA0417164300,EUR,X,anna anna,\n'),
      'accounts.csv, line 5, owners: ids of PSUs are expected, separated by blanks in CSV, an array in JSON, not “anna anna”.',
    ],
    [
      'no currency',
      account('x,NL91ABNA0417164300,EUX,X,anna,\n'),
      'accounts.csv, line 5, currency: a currency of ISO 4217, such as EUR, is expected, not “EUX”.',
    ],
    [
      'an overdraft with a sign',
      account('x,NL91ABNA0417164300,EUR,X,anna,-500.00\n'),
      'accounts.csv, line 5, overdraft: an amount such as 500.00 is expected, as a text, without sign, not “-500.00”.',
    ],
    [
      'a posting without account',
      posting('t-9,gone,2026-01-02,1.00,,,x\n'),
      'postings.csv, line 5, account: no account has the resource id or IBAN “gone”.',
    ],
    [
      'a posting id twice',
      posting('t-1,shared,2026-01-02,1.00,,,x\n'),
      'postings.csv, line 5, id: “t-1” is there twice.',
    ],
    [
      'an amount with a comma',
      posting('t-9,shared,2026-01-02,"1,00",,,x\n'),
      'postings.csv, line 5, amount: an amount such as -12.50 is expected, as a text, not “1,00”.',
    ],
    [
      'an amount of nothing',
      posting('t-9,shared,2026-01-02,0.00,,,x\n'),
      'postings.csv, line 5, amount: nothing is booked by an amount of zero.',
    ],
    [
      'more decimals than the currency has',
      posting('t-9,yen,2026-01-02,1.50,,,x\n'),
      'postings.csv, line 5, amount: an amount of JPY that can be reckoned to the last unit is expected, not “1.50”.',
    ],
    [
      'a day that there is not',
      posting('t-9,shared,2026-02-30,1.00,,,x\n'),
      'postings.csv, line 5, bookingDate: a date YYYY-MM-DD is expected, not “2026-02-30”.',
    ],
    [
      'the account of nobody',
      posting('t-9,shared,2026-01-02,1.00,,BE62510007547061,x\n'),
      'postings.csv, line 5, counterpartyName: it is missing; whose account it is, is expected.',
    ],
    [
      'sums beyond reckoning',
      posting('t-8,shared,2026-01-02,90000000000000.00,,,x\nt-9,shared,2026-01-02,90000000000000.00,,,x\n'),
      'postings.csv, line 6, amount: the sum of the postings of “shared” is too large to be reckoned to the last unit.',
    ],
    [
      'a column that there is not',
      { 'psus.csv': 'id,name,logn,password\n' },
      'psus.csv, line 1: there is no column “logn”; the nearest is “login”.',
    ],
    [
      'a column twice',
      { 'psus.csv': 'id,name,login,login\n' },
      'psus.csv, line 1: the column “login” is there twice.',
    ],
    [
      'semicolons',
      { 'psus.csv': 'id;name;login;password\n' },
      'psus.csv, line 1: columns are separated by commas, not by semicolons.',
    ],
    [
      'an open quotation mark',
      psu('"c,C,c,c\n'),
      'psus.csv, line 4: a quotation mark is opened and not closed.',
    ],
    [
      'a name in Latin-1',
      { 'psus.csv': Buffer.from(`${PSUS}c,Zoé,c,c\n`, 'latin1') },
      'psus.csv, line 4: what stands here is not UTF-8; save the file as UTF-8.',
    ],
    [
      'a control character',
      psu('c,C\0,c,c\n'),
      'psus.csv, line 4, name: a text without control characters is expected, not “C\0”.',
    ],
    [
      'a day of another century',
      posting('t-9,shared,1800-01-02,1.00,,,x\n'),
      'postings.csv, line 5, bookingDate: a date from 1900-01-01 to 2199-12-31 is expected, not “1800-01-02”.',
    ],
    ['nothing', { 'psus.csv': '' }, 'psus.csv is empty: give another one.'],
    [
      'both forms of a file',
      { 'psus.json': '[]' },
      'The folder DIR has both psus.json and psus.csv: remove one of them.',
    ],
  ])('with %s is refused, and file, line and field are named', (_, files, said) => {
    expect(saidOf(folderOf(files))).toBe(said);
  });

  it.each<[string, string, string]>([
    [
      'a number as amount',
      '[\n  {"id": "t-1", "account": "shared", "bookingDate": "2026-01-02", "remittance": "[{\\"", "amount": "1.00"},\n\n  {\n    "id": "t-2",\n    "amount": 1.5\n, "account": "shared", "bookingDate": "2026-01-02", "remittance": "x"}]',
      'postings.json, line 6, amount: an amount such as -12.50 is expected, as a text, not “1.5”.',
    ],
    [
      'a field that there is not',
      '[{"id": "t-1", "account": "shared", "bookingDate": "2026-01-02", "remittance": "x", "amount": "1.00"},\n{"id": "t-2", "account": "shared", "bookingDate": "2026-01-02", "remittance": "x", "amount": "1.00", "text": "y"}]',
      'postings.json, line 2: “text” is not known here; the nearest name is',
    ],
    ['text among its records', '[\n"x"]', 'postings.json, line 2: '],
    ['an object', '{}', 'postings.json, line 1: an array of records is expected.'],
    ['a comma too many', '[\n{},]', 'postings.json is not JSON: line 2, column 4 cannot be read.'],
  ])('of JSON with %s is refused as well', (_, text, said) => {
    expect(saidOf(folderOf({ 'postings.json': text }, ['postings.csv']))).toContain(said);
  });

  it('needs each of its files', () => {
    expect(saidOf(folderOf({}, ['accounts.csv']))).toBe(
      'The folder DIR has neither accounts.json nor accounts.csv: add it; sandgate bank generate writes a folder with all that is needed.',
    );
  });

  it('reads no pipe or device in the place of a file: it would wait for ever', () => {
    const folder = folderOf({}, ['accounts.csv']);
    execFileSync('mkfifo', [join(folder, 'accounts.csv')]);
    expect(saidOf(folder)).toContain('has neither accounts.json nor accounts.csv');
  });

  it('never repeats a password that is refused', () => {
    expect(saidOf(folderOf(psu(`c,C,c,${'secret'.repeat(20)}\n`)))).not.toContain('secret');
  });
});
