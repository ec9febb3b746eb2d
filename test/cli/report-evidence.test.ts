/** What `report` does with a recording by the evidence that there is for it. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'sandgate-report-evidence-'));
const path = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gateway = ['--evidence-key', path('gateway.pub')];
const report = (store: string, ...args: readonly string[]) =>
  sandgate(['report', 'june', '--store', path(store), ...args]);

function changed(name: string, sql: string): void {
  copyFileSync(path('signed.db'), path(name));
  copyFileSync(path('signed.db.key'), path(`${name}.key`));
  const db = new Sqlite(path(name));
  db.exec(sql);
  db.close();
}

beforeAll(async () => {
  const { pem, publicPem } = aKeyPair();
  writeFileSync(path('gateway.pub'), publicPem);
  writeFileSync(path('signer.pem'), aKeyPair().pem);
  for (const name of ['signed.db', 'bare.db']) {
    const store = createSqliteStore({ path: path(name) });
    record(store, VALID);
    if (name === 'signed.db') await signSession(store, { pem });
    store.close();
  }
  changed('broken.db', 'DELETE FROM exchanges WHERE seq = 6');
  const args = ['--store', path('signed.db'), '--out', path('june.json')];
  expect((await sandgate(['sessions', 'export', 'june', ...args])).err).toBe('');
});

describe('a chain that is broken', () => {
  it.each([[[]], [['--fail-on', 'must', '--of', 'tpp']]])(
    'makes report end with 1, and %j changes nothing of that',
    async (args) => {
      const { status, out, err } = await report('broken.db', ...args);
      expect([status, err]).toEqual([1, 'Failed: the chain of the recording is broken.\n']);
      expect(out).toContain('The chain is broken');
    },
  );

  it('is not signed, and every file is written without naming a signature', async () => {
    const args = ['--format', 'json,html', '--out', path('broken'), '--sign', path('signer.pem')];
    const { status, out, err } = await report('broken.db', ...args);
    expect([status, err]).toEqual([1, 'Failed: the chain of the recording is broken. Nothing was signed.\n']);
    expect(out).not.toContain('.jws');
    expect(existsSync(path('broken/report.json.jws'))).toBe(false);
    expect(readFileSync(path('broken/report.html'), 'utf8')).not.toContain('.jws');
  });

  it('is told as broken also where it came out of a file', async () => {
    const import_ = [
      'sessions',
      'import',
      path('june.json'),
      '--session',
      'june',
      '--store',
      path('file.db'),
    ];
    expect((await sandgate(import_)).err).toBe('');
    const db = new Sqlite(path('file.db'));
    db.exec('DELETE FROM exchanges WHERE seq = 6');
    db.close();
    const { status, out } = await report('file.db', '--format', 'json');
    expect([status, JSON.parse(out).evidence.level]).toEqual([1, 'broken']);
  });
});

describe('--require', () => {
  it.each([
    ['signed.db', 'witnessed', 0],
    ['signed.db', 'consistent', 0],
    ['bare.db', 'consistent', 0],
    ['bare.db', 'witnessed', 1],
    ['broken.db', 'consistent', 1],
  ])('of %s: %s ends with %i', async (store, level, status) => {
    const said = await report(store, ...gateway, '--require', level);
    expect(said.status, said.err).toBe(status);
    expect(said.err).toMatch(status === 1 ? /^Failed/ : /^$/);
  });

  it('lets no recording out of a file through', async () => {
    const { status, err } = await sandgate(['report', path('june.json'), '--require', 'consistent']);
    expect([status, err]).toEqual([1, 'Failed (--require consistent): the recording is imported.\n']);
  });
});
