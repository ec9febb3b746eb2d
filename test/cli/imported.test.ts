/** A session that was made from a file never passes for one that was recorded, in whatever form it is told. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const FILES = ['cassette.json', 'own.har', 'foreign.har'] as const;
const nameOf = (file: string) => file.replace('.', '-');

const foreignHar = {
  log: {
    version: '1.2',
    creator: { name: 'A browser', version: '1' },
    entries: [
      {
        startedDateTime: '2026-06-15T10:00:00.000Z',
        time: 10,
        request: {
          ...{ method: 'GET', url: 'https://bank.example/stdgroup/v1/accounts', httpVersion: 'HTTP/1.1' },
          ...{ headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
        },
        response: {
          ...{ status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [], cookies: [] },
          ...{ content: { size: 2, mimeType: 'application/json', text: '{}' } },
          ...{ redirectURL: '', headersSize: -1, bodySize: 2 },
        },
        cache: {},
        timings: { send: 0, wait: 10, receive: 0 },
      },
    ],
  },
};

beforeAll(async () => {
  const recorded = createSqliteStore({ path: path('recorded.db') });
  record(recorded, VALID);
  recorded.close();
  for (const file of FILES.slice(0, 2))
    await sandgate(['sessions', 'export', 'june', '--store', path('recorded.db'), '--out', path(file)]);
  writeFileSync(path('foreign.har'), JSON.stringify(foreignHar));
  for (const file of FILES)
    for (const store of ['imported.db', 'bare.db']) {
      const args = ['--session', nameOf(file), '--store', path(store)];
      expect((await sandgate(['sessions', 'import', path(file), ...args])).err).toBe('');
    }
  const bare = new Sqlite(path('bare.db'));
  bare.prepare('DELETE FROM notes').run();
  bare.close();
});

const BROKEN = 'Failed: the chain of the recording is broken.\n';
const FORMATS = ['html', 'json', 'junit', 'markdown', 'sarif'] as const;
const reportOf = async (name: string, store: string, format: string) => {
  const { out, err } = await sandgate(['report', name, '--store', path(store), '--format', format]);
  expect(err).toBe(store === 'bare.db' ? BROKEN : '');
  return out;
};

describe.each(FILES)('a session made from %s', (file) => {
  it.each(FORMATS)('is told as imported in %s', async (format) => {
    const out = await reportOf(nameOf(file), 'imported.db', format);
    expect(out).toMatch(/Imported: (?:all \d+ exchanges were|the one exchange was) read from a file/);
    expect(out).not.toMatch(/as (?:it was|they were) recorded/);
  });

  it.each(FORMATS)('is not told as recorded in %s when its notes are deleted', async (format) => {
    const out = await reportOf(nameOf(file), 'bare.db', format);
    expect(out).not.toMatch(/as (?:it was|they were) recorded\b|Witnessed/);
    if (file === 'foreign.har') expect(out).toMatch(/Imported: /);
  });
});

describe.each(FILES)('the file %s', (file) => {
  it.each(FORMATS)('is told as imported in %s', async (format) => {
    const { out } = await sandgate(['report', path(file), '--format', format]);
    expect(out).toContain('Imported: the recording is a file');
    expect(out).not.toMatch(/as (?:it was|they were) recorded\b/);
  });
});
