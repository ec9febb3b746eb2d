/** What `report` does with a recording by the evidence that there is for it. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const gateway = ['--evidence-key', path('gateway.pub')];
const kept = (name: string) => ['--checkpoints', path(name)];
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
  writeFileSync(path('gateway.pem'), pem);
  writeFileSync(path('signer.pem'), aKeyPair().pem);
  for (const name of ['signed.db', 'bare.db']) {
    const store = createSqliteStore({ path: path(name) });
    record(store, VALID);
    if (name === 'signed.db') {
      writeFileSync(path('first'), await signSession(store, { pem }));
      record(store, VALID, { start: NOW + 86_400_000 });
      const more = await signSession(store, { pem });
      writeFileSync(path('whole'), readFileSync(path('first'), 'utf8') + more);
    }
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
    expect(said.err.includes('Failed')).toBe(status === 1);
  });

  it.each([
    ['bare.db', 'Not all of the session is signed.*name its admin listener with --admin URL'],
    ['signed.db', '^$'],
  ])('of %s says what to do about what is not signed, where something is', async (store, said) => {
    const { err } = await report(store, ...gateway, '--out', path('unsigned.json'));
    expect(err).toMatch(new RegExp(said));
  });

  it('lets no recording out of a file through', async () => {
    const { status, err } = await sandgate(['report', path('june.json'), '--require', 'consistent']);
    expect([status, err]).toEqual([1, 'Failed (--require consistent): the recording is imported.\n']);
  });
});

describe('a session that is judged again by what earlier ones tell', () => {
  it('names these: nothing proves what they tell', async () => {
    const store = createSqliteStore({ path: path('earlier.db') });
    record(store, VALID, { session: 'may', start: NOW - 86_400_000 });
    record(store, VALID);
    store.close();
    const notesOf = async (...args: string[]) => {
      const out = path('judged.json');
      expect((await report('earlier.db', '--out', out, ...args)).err).toBe('');
      const verified = await sandgate(['verify', out, '--store', path('earlier.db')]);
      expect(verified.status, verified.out).toBe(0);
      return JSON.parse(readFileSync(out, 'utf8')).head.notes.join(' ');
    };
    const said =
      'Consents and tokens of 1 earlier session count as known, whose chains were not checked: may.';
    expect(await notesOf()).not.toContain(said);
    expect(await notesOf('--profile', 'production')).toContain(said);
  });
});

describe('--checkpoints with a file', () => {
  const whole = () => readFileSync(path('whole'), 'utf8');
  const edited = (text: string): string => {
    const [header, payload = '', signature] = text.split('.');
    const said = Buffer.from(payload, 'base64url').toString().replace('"session":"june"', '"session":"july"');
    return [header, Buffer.from(said).toString('base64url'), signature].join('.');
  };
  const foreign = async () => {
    const store = createSqliteStore({ path: path('foreign.db') });
    record(store, VALID, { session: 'july' });
    const text = await signSession(store, { pem: readFileSync(path('gateway.pem'), 'utf8') });
    store.close();
    return text;
  };

  beforeAll(async () => {
    const signed = ['--out', path('kept.json'), ...gateway];
    expect((await report('signed.db', ...signed)).err).toBe('');
  });

  it.each<[string, () => string | Promise<string>, number, RegExp]>([
    ['that is empty', () => '', 2, /holds no checkpoint/],
    ['of another session', foreign, 2, /holds no checkpoint of the session june/],
    ['that was edited', () => edited(whole()), 1, /Line 1 of .* is no checkpoint signed with/],
    ['that is cut off in a line', () => whole().slice(0, -9), 1, /Line 2 of .* cut off/],
    [
      'without its last line',
      () => readFileSync(path('first'), 'utf8'),
      1,
      /lacks the checkpoint of .* cut off/,
    ],
    ['without its first line', () => whole().slice(whole().indexOf('\n') + 1), 1, /lacks the checkpoint/],
  ])('%s is an error of report and verify', async (name, text, status, said) => {
    const file = name.replaceAll(' ', '-');
    writeFileSync(path(file), await text());
    const made = await report('signed.db', ...gateway, ...kept(file));
    expect([made.status, made.err]).toEqual([status, expect.stringMatching(said)]);
    const args = [path('kept.json'), '--store', path('signed.db'), ...gateway, ...kept(file)];
    const checked = await sandgate(['verify', ...args]);
    expect([checked.status, checked.err]).toEqual([status, expect.stringMatching(said)]);
  });

  it('that is all older than the session is an error: another session was put in its place', async () => {
    const store = createSqliteStore({ path: path('anew.db') });
    record(store, VALID, { start: NOW + 3 * 86_400_000 });
    store.close();
    const said = /All checkpoints of .* for the session june are older than the session/;
    const made = await report('anew.db', ...gateway, ...kept('whole'));
    expect([made.status, made.err]).toEqual([1, expect.stringMatching(said)]);
    const args = [path('kept.json'), '--store', path('anew.db'), ...gateway, ...kept('whole')];
    const checked = await sandgate(['verify', ...args]);
    expect([checked.status, checked.err]).toEqual([1, expect.stringMatching(said)]);
  });

  it('is a mistake without the key of the gateway', async () => {
    const { status, err } = await report('signed.db', ...kept('whole'), '--certs', folder);
    expect([status, err]).toEqual([2, expect.stringContaining('--evidence-key')]);
  });

  it('that is whole is taken, also of a session that has gone on since', async () => {
    expect((await report('signed.db', ...gateway, ...kept('whole'))).status).toBe(0);
    const early = ['--store', path('early.db'), ...gateway];
    const store = createSqliteStore({ path: path('early.db') });
    record(store, VALID);
    const pem = readFileSync(path('gateway.pem'), 'utf8');
    writeFileSync(path('early'), await signSession(store, { pem }));
    expect((await sandgate(['report', 'june', ...early, '--out', path('early.json')])).err).toBe('');
    record(store, VALID, { start: NOW + 86_400_000 });
    await signSession(store, { pem });
    store.close();
    const { status, err } = await sandgate(['verify', path('early.json'), ...early, ...kept('early')]);
    expect([status, err]).toEqual([0, '']);
  });
});

describe('a row that cannot be read', () => {
  it('keeps report and verify from nothing else: all of them are named', async () => {
    const made = ['--out', path('before.json'), ...gateway];
    expect((await report('signed.db', ...made)).err).toBe('');
    const { appendix } = JSON.parse(readFileSync(path('before.json'), 'utf8'));
    changed('unreadable.db', "UPDATE exchanges SET own = 'no JSON' WHERE seq IN (4, 7)");
    const { status, out } = await report('unreadable.db', '--format', 'json', ...gateway);
    const { evidence, head, appendix: left } = JSON.parse(out);
    const named = evidence.breaks.map(({ exchange }: { exchange: string }) => exchange);
    const ids = (of: typeof appendix) => of.exchanges.map(({ id }: { id: string }) => id);
    const gone = ids(appendix).filter((id: string) => !ids(left).includes(id));
    expect(gone).toHaveLength(2);
    expect([status, evidence.level]).toEqual([1, 'broken']);
    expect(named).toEqual(expect.arrayContaining(gone));
    expect(head.notes).toContain(
      `2 exchanges cannot be read, and are not in this report: ${gone.join(', ')}.`,
    );
    const args = [path('before.json'), '--store', path('unreadable.db'), ...gateway];
    const checked = await sandgate(['verify', ...args]);
    expect(checked.err).toBe('');
    expect(checked.status).toBe(1);
    for (const id of gone) expect(checked.out).toContain(`Exchange ${id} is not as it was recorded`);
    expect(checked.out).toMatch(/contents +FAILED/);
  });
});

describe('a recording of ours that comes back from a file', () => {
  it.each(['june.json', 'june.har'])('has a chain that begins with that: %s', async (file) => {
    await sandgate(['sessions', 'export', 'june', '--store', path('signed.db'), '--out', path(file)]);
    const into = ['--session', 'back', '--store', path(`${file}.db`)];
    expect((await sandgate(['sessions', 'import', path(file), ...into])).err).toBe('');
    const store = createSqliteStore({ path: path(`${file}.db`), readonly: true });
    expect(store.chains.of('back').map(({ origin }) => origin)).toEqual(['file']);
    store.close();
  });
});

it('--certs says where the gateway left its key', async () => {
  mkdirSync(path('certs'));
  copyFileSync(path('gateway.pub'), path('certs/evidence.pub'));
  const args = ['--certs', path('certs')];
  const { status, err } = await report(
    'signed.db',
    ...args,
    '--require',
    'witnessed',
    '--out',
    path('c.json'),
  );
  expect([status, err]).toEqual([0, '']);
  const { out } = await sandgate(['verify', path('c.json'), '--store', path('signed.db'), ...args]);
  expect(out).toMatch(/checkpoints +sound/);
});
