/** A signature covers the report in HTML too, and `verify` holds it against the one in JSON. */
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'sandgate-verify-html-'));
const path = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    'json,html,markdown',
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
      'report.md',
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
    expect([status, out]).toEqual([0, expect.stringMatching(/html +sound .*\nAll checks passed/)]);
  });

  it('without a signature is held against the report that it is of', async () => {
    const args = [path('bare/report.json'), ...store, '--html', path('bare/report.html')];
    expect((await verify(...args)).out).toMatch(/html +sound/);
  });

  it('without key settles nothing: status 2', async () => {
    const { status, out } = await verify(path('both/report.html'));
    expect([status, out]).toEqual([2, expect.stringContaining('Nothing was checked')]);
  });

  it('that is gone is told', async () => {
    copyFileSync(path('both/report.json'), path('gone.json'));
    copyFileSync(path('both/report.json.jws'), path('gone.json.jws'));
    const { status, out } = await verify(path('gone.json'), ...store, ...trusted);
    expect([status, out]).toEqual([0, expect.stringContaining('Not checked: html.')]);
  });

  it.each(['both', 'bare'])('that was changed is found (%s)', async (where) => {
    const html = readFileSync(path(`${where}/report.html`), 'utf8');
    writeFileSync(
      path(`${where}/changed.html`),
      html.replace('complied with all rules', 'complied with some rules'),
    );
    const args = [path(`${where}/report.json`), ...store, '--html', path(`${where}/changed.html`)];
    const { status, out } = await verify(...args, ...(where === 'both' ? trusted : []));
    expect([status, out]).toEqual([1, expect.stringMatching(/html +FAILED/)]);
  });

  it('of another report that was signed with the same key does not pass for this one', async () => {
    const args = [path('both/report.json'), ...store, ...trusted, '--html', path('alone.html')];
    const { status, out } = await verify(...args);
    expect([status, out]).toEqual([1, expect.stringContaining('its digest is not in the statement')]);
  });
});
