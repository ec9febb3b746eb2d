/** `sandgate bank`: who there is in the living bank, listed and written. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testCertificates } from '../e2e/harness.js';
import { folderOfTest } from '../folder.js';
import { sandgate, startCommand } from './run-command.js';

describe('sandgate bank psus', () => {
  it('lists PSUs with what they log in with, a line for each account', async () => {
    const { status, out, err } = await sandgate(['bank', 'psus', '--limit', '2']);
    const lines = out.trimEnd().split('\n');
    expect(status).toBe(0);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^PSU +NAME +LOGIN +PASSWORD +ACCOUNT +IBAN +CURRENCY +KIND +STATUS$/);
    expect(lines[1]).toMatch(/^psu-1 .* lotte\.1 +\S+ +acc-1-1 +BE\d{14} +EUR +Current account +enabled$/);
    expect(lines[2]).toMatch(/^ +acc-1-2 /);
    expect(lines[3]).toMatch(/^psu-2 /);
    expect(err).toBe('8 more PSUs follow: --from 2\n');
  });

  it('refuses what would steer the terminal, and does not send it there', async () => {
    const dir = folderOfTest();
    const psu = { id: 'a', name: '\u001b[31mRed\u0007', login: 'a', password: 'p' };
    writeFileSync(join(dir, 'psus.json'), JSON.stringify([psu]));
    for (const name of ['accounts', 'postings']) writeFileSync(join(dir, `${name}.json`), '[]');
    const { status, out, err } = await sandgate(['bank', 'psus', '--bank-data', dir]);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('\\x1b[31mRed\\x07');
    expect(err.replaceAll('\n', '')).toMatch(/^[^\p{Cc}]*$/u);
  });

  it('goes by seed and count of flags and settings, a million of them too', async () => {
    const env = { SANDGATE_BANK_PSUS: '1000000' };
    const last = ['bank', 'psus', '--from', '999999', '--json'];
    const [one] = JSON.parse((await sandgate(last, { env })).out);
    expect(one.id).toBe('psu-1000000');
    const [other] = JSON.parse((await sandgate([...last, '--bank-seed', '7'], { env })).out);
    expect([other.id, other.accounts]).toEqual(['psu-1000000', one.accounts]);
    expect(other.name === one.name && other.password === one.password).toBe(false);
  });

  it.each([
    [['--bank-psus', '1000001'], 'a whole number from 1 to 1000000 is expected'],
    [['--bank-psus', '0'], 'a whole number from 1 to 1000000 is expected'],
    [['--bank-seed', '-1'], 'a whole number from 0 to 4294967295 is expected'],
    [['--bank-seed', '4294967296'], 'a whole number from 0 to 4294967295 is expected'],
    [['--from', 'x'], 'A whole number is expected'],
    [['--bank-data', 'nowhere'], 'The folder nowhere has neither psus.json nor psus.csv'],
  ])('refuses %j: %s', async (flags, said) => {
    const { status, err } = await sandgate(['bank', 'psus', ...flags]);
    expect(status).toBe(2);
    expect(err).toContain(said);
  });
});

describe('sandgate bank generate', () => {
  it('writes a folder that bank psus and serve read', async () => {
    const out = join(folderOfTest(), 'bank');
    const generated = await sandgate(['bank', 'generate', '--days', '30', '--out', out]);
    expect(generated).toMatchObject({ status: 0, err: '' });
    expect(generated.out).toMatch(/^Wrote 10 PSUs, 20 accounts and [\d,]+ postings to /);
    const listed = await sandgate(['bank', 'psus', '--json', '--bank-data', out]);
    const seeded = await sandgate(['bank', 'psus', '--json']);
    expect(JSON.parse(listed.out)).toEqual(JSON.parse(seeded.out));
    const serve = ['serve', '--bank', 'living', '--bank-data', out, '--store', 'memory:'];
    const own = [
      '--certs',
      await testCertificates(),
      '--listen',
      '0',
      '--psu-listen',
      '0',
      '--admin-listen',
      '0',
    ];
    const serving = startCommand([...serve, ...own], { clock: Date.now });
    await serving.prints('https://');
    expect((await serving.stop()).status).toBe(0);
  });

  it('says how much it wrote as JSON, and leaves a folder with something in it as it is', async () => {
    const out = join(folderOfTest(), 'bank');
    const args = ['bank', 'generate', '--days', '3', '--bank-psus', '2', '--format', 'csv', '--out', out];
    const said = JSON.parse((await sandgate([...args, '--json'])).out);
    expect(said).toMatchObject({ folder: out, psus: 2, accounts: 5 });
    const before = readFileSync(join(out, 'postings.csv'), 'utf8');
    const again = await sandgate([...args, '--bank-seed', '1']);
    expect([again.status, again.err]).toEqual([2, `The folder ${out} is not empty: give a new one.\n`]);
    expect(readFileSync(join(out, 'postings.csv'), 'utf8')).toBe(before);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const above = folderOfTest();
    const stopped = AbortSignal.abort('SIGINT');
    const args = ['bank', 'generate', '--days', '1', '--bank-psus', '1000', '--out', join(above, 'bank')];
    const { status, err } = await sandgate(args, { signal: stopped });
    expect([status, err]).toEqual([3, 'Interrupted: psus written did not end. Run it again.\n']);
    expect(existsSync(join(above, 'bank'))).toBe(false);
    expect(readdirSync(above)).toEqual([]);
  });
});

it('a gateway does not start on data that are half right', async () => {
  const out = join(folderOfTest(), 'bank');
  await sandgate(['bank', 'generate', '--days', '1', '--format', 'csv', '--out', out]);
  const { appendFileSync } = await import('node:fs');
  appendFileSync(join(out, 'accounts.csv'), 'x,BE00,,EUR\n');
  const certs = ['--certs', await testCertificates()];
  const said = await sandgate(['serve', '--bank-data', out, '--store', 'memory:', ...certs]);
  expect([said.status, said.out]).toEqual([2, '']);
  expect(said.err).toContain('accounts.csv, line 22: it has 4 cells, and the titles are 13');
});
