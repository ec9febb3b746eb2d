/** What a gateway removes of a session by itself is told by report and `verify`, and never passes for all there was. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore, noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const before = path('before.db');
const after = path('after.db');

const report = (store: string, ...args: readonly string[]) =>
  sandgate(['report', 'june', '--store', store, ...args]);
const verify = (file: string, store: string) => sandgate(['verify', path(file), '--store', store]);

let removed = 0;

beforeAll(async () => {
  const opened = createSqliteStore({ path: before });
  record(opened, VALID);
  noteIn(opened, 'june', { at: NOW + 60_000, kind: 'stopped', settings: {} });
  opened.close();
  await report(before, '--out', path('whole.json'));
  copyFileSync(before, after);
  copyFileSync(`${before}.key`, `${after}.key`);
  const retained = createSqliteStore({ path: after });
  const fifth = [...retained.read('june')][4]?.exchange.call.id ?? '';
  for (const count of retained.remove('june', { before: fifth, at: NOW + 90_000 })) removed += count;
  retained.close();
  expect(removed).toBe(4);
});

describe('what was removed', () => {
  it.each(['html', 'json', 'junit', 'markdown', 'sarif'])('is told by the report in %s', async (format) => {
    const { out } = await report(after, '--format', format);
    expect(out).toMatch(/Before, 4 exchanges from 2026-06-15T10:00:0\S+ to \S+ were removed by the gateway/);
  });

  it('is told by verify, of a report that was made afterwards', async () => {
    await report(after, '--out', path('rest.json'));
    const { status, out } = await verify('rest.json', after);
    expect([status, out]).toEqual([0, expect.stringMatching(/chain +sound .*removed 4 exchanges of it/)]);
  });

  it('since the report was made is told, which then cannot be made again', async () => {
    const { status, out } = await verify('whole.json', after);
    expect(out).toMatch(/chain +sound .*4 of them since the report was made/);
    expect(out).toMatch(/contents +not checked +4 exchanges were removed since/);
    expect(status).toBe(0);
  });

  it.each([
    ['as many as are missing', 4, 12],
    ['fewer', 4, 3],
  ])('is not what somebody else took out: %s', async (name, from, to) => {
    const cheated = path(`${name.length}.db`);
    copyFileSync(before, cheated);
    copyFileSync(`${before}.key`, `${cheated}.key`);
    const db = new Sqlite(cheated);
    db.prepare('DELETE FROM exchanges WHERE seq BETWEEN ? AND ?').run(Math.min(from, to), Math.max(from, to));
    db.close();
    const { status, out } = await verify('whole.json', cheated);
    expect([status, out]).toEqual([1, expect.stringMatching(/chain +FAILED/)]);
  });
});

describe('notes of the settings', () => {
  it('that a report leaves out are found, though the session could have got them later', async () => {
    const made = JSON.parse(readFileSync(path('whole.json'), 'utf8'));
    made.head.changes.pop();
    writeFileSync(path('fewer.json'), `${JSON.stringify(made, null, 2)}\n`);
    const { status, out } = await verify('fewer.json', before);
    expect([status, out]).toEqual([1, expect.stringContaining('The session held 2 notes of its settings')]);
  });
});
