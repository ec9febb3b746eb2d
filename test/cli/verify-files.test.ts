/** A signature covers every file of a report, and `verify` holds each against the one in JSON. */
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const keys = generateKeyPairSync('ed25519');
const store = ['--store', path('sandgate.db')];
const signing = ['--sign', path('key.pem')];
const trusted = ['--key', path('pub.pem')];
const verify = (...args: readonly string[]) => sandgate(['verify', ...args]);

beforeAll(async () => {
  const opened = createSqliteStore({ path: path('sandgate.db') });
  record(opened, VALID);
  opened.close();
  writeFileSync(path('key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('pub.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
  await sandgate([
    'report',
    'june',
    ...store,
    '--format',
    'json,html,junit,markdown,sarif,csv',
    '--out',
    path('both'),
    ...signing,
  ]);
  await sandgate(['report', 'june', ...store, '--out', path('alone.html'), ...signing]);
  await sandgate(['report', 'june', ...store, '--format', 'json,html', '--out', path('bare')]);
});

describe('what is signed', () => {
  it('is one statement, beside the JSON report, with the digest of every file; the page names it', async () => {
    const [, payload = ''] = readFileSync(path('both/report.json.jws'), 'utf8').split('.');
    const { files } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(files.map(({ name }: { name: string }) => name)).toEqual([
      'report.json',
      'report.html',
      'report.junit.xml',
      'report.md',
      'report.sarif',
      'availability.csv',
    ]);
    expect(readFileSync(path('both/report.html'), 'utf8')).toContain('<code>report.json.jws</code>');
  });

  it('may be a page alone', async () => {
    const { status, out } = await verify(path('alone.html'), ...trusted);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/signature +sound .*\n.*Not checked: contents/s),
    ]);
  });

  it('is any file of the statement', async () => {
    const { status } = await verify(path('both/report.html'), ...trusted, '--signature-only');
    expect(status).toBe(0);
  });
});

describe('a page', () => {
  it('that lies beside its signed report is held against it', async () => {
    const { status, out } = await verify(path('both/report.json'), ...store, ...trusted);
    expect([status, out]).toEqual([0, expect.stringMatching(/html +sound .*\n[\s\S]*All checks passed/)]);
  });

  it('without a signature is held against the report that it is of', async () => {
    const args = [path('bare/report.json'), ...store, '--file', path('bare/report.html')];
    expect((await verify(...args)).out).toMatch(/html +sound/);
  });

  it('without key settles nothing: status 2', async () => {
    const { status, out } = await verify(path('both/report.html'));
    expect([status, out]).toEqual([2, expect.stringContaining('Nothing was checked')]);
  });

  it.each(['both', 'bare'])('that was changed is found (%s)', async (where) => {
    const html = readFileSync(path(`${where}/report.html`), 'utf8');
    writeFileSync(
      path(`${where}/changed.html`),
      html.replace('complied with all rules', 'complied with some rules'),
    );
    const args = [path(`${where}/report.json`), ...store, '--file', path(`${where}/changed.html`)];
    const { status, out } = await verify(...args, ...(where === 'both' ? trusted : []));
    expect([status, out]).toEqual([1, expect.stringMatching(/html +FAILED/)]);
  });

  it('of another report that was signed with the same key does not pass for this one', async () => {
    const args = [path('both/report.json'), ...store, ...trusted, '--file', path('alone.html')];
    const { status, out } = await verify(...args);
    expect([status, out]).toEqual([1, expect.stringContaining('its digest is not in the statement')]);
  });
});

const OTHERS = [
  ['html', 'report.html'],
  ['junit', 'report.junit.xml'],
  ['markdown', 'report.md'],
  ['sarif', 'report.sarif'],
  ['csv', 'availability.csv'],
] as const;

/** A copy of all files of the signed report, in a folder of its own. */
function copied(name: string): (file: string) => string {
  cpSync(path('both'), path(name), { recursive: true });
  return (file) => path(`${name}/${file}`);
}

describe.each(OTHERS)('of a signed report, the file in %s', (what, file) => {
  it('is checked where it lies beside it', async () => {
    const { status, out } = await verify(path('both/report.json'), ...store, ...trusted);
    expect([status, out]).toEqual([0, expect.stringMatching(new RegExp(`^${what} +sound`, 'm'))]);
  });

  it('is found to be changed', async () => {
    const of = copied(`changed-${what}`);
    appendFileSync(of(file), '\n');
    const { status, out } = await verify(of('report.json'), ...store, ...trusted);
    expect([status, out]).toEqual([1, expect.stringMatching(new RegExp(`^${what} +FAILED`, 'm'))]);
  });

  it('is said to be missing, and not checked, also without the recording', async () => {
    const of = copied(`gone-${what}`);
    rmSync(of(file));
    const { status, out } = await verify(of('report.json'), ...store, ...trusted);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^${what} +not checked +${file} is missing: [\\s\\S]*is sound. Not checked: .*${what}`,
          'm',
        ),
      ),
    ]);
    const elsewhere = ['--store', path('nowhere.db')];
    if (what !== 'html')
      expect((await verify(of('report.html'), ...elsewhere, ...trusted)).out).toContain(`${file} is missing`);
  });

  it('may be named, wherever it is', async () => {
    const of = copied(`moved-${what}`);
    renameSync(of(file), of(`elsewhere-${file}`));
    const named = ['--file', of(`elsewhere-${file}`)];
    const { status, out } = await verify(of('report.json'), ...store, ...trusted, ...named);
    expect([status, out]).toEqual([0, expect.stringMatching(/All checks passed/)]);
  });

  it('that does not follow from the report is found without a signature too', async () => {
    const of = copied(`bare-${what}`);
    writeFileSync(of(file), readFileSync(of(file), 'utf8').replace(/june|AIS/, 'july'));
    const { status, out } = await verify(of('report.json'), ...store, '--file', of(file));
    expect([status, out]).toEqual([1, expect.stringMatching(new RegExp(`^${what} +FAILED`, 'm'))]);
  });
});

it('a file that is no format of a report is refused as a mistake', async () => {
  writeFileSync(path('notes.doc'), '');
  const { status, err } = await verify(path('both/report.json'), ...store, '--file', path('notes.doc'));
  expect([status, err]).toEqual([2, expect.stringContaining('does not say the format')]);
});
