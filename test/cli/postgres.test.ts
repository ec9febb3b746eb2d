/** Every command that works on a store does with one in PostgreSQL what it does with a file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderOfFile } from '../folder.js';
import { recordedInFile, recordedInSchema } from '../postgres/recorded.js';
import { aSchema } from '../postgres/schemas.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const file = path('june.db');
const schema = aSchema();
const keyFile = ['--store-key-file', `${file}.key`];
let id = '';

beforeAll(async () => {
  id = recordedInFile(file).at(-1)?.exchange.call.id ?? '';
  await recordedInSchema(schema, file, 1);
});

/** Without what differs from store to store and from time to time: names, hashes, ports and durations. */
const plain = (text: string): string =>
  text
    .replaceAll(/postgres:\S+?schema=\w+|\S*june\.db/g, 'STORE')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/\b[0-9a-f]{32}(?:-\d+)?\b/g, 'ID')
    .replaceAll(/\b(?:file|schema)-/g, 'OUT-')
    .replaceAll(/localhost:\d+/g, 'HOST')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ \d+ (?=GET|POST|DELETE)/g, ' MS ');

async function onBoth(args: (store: string) => readonly string[]) {
  const said = [];
  for (const store of [file, schema]) {
    const { status, out, err } = await sandgate([...args(store), '--store', store, ...keyFile]);
    said.push({ status, out: plain(out), err: plain(err) });
  }
  const [first, second] = said;
  expect(second).toEqual(first);
  return first as NonNullable<typeof first>;
}

const written = (name: string, store: string) => path(`${store === file ? 'file' : 'schema'}-${name}`);
const sameFiles = (name: string) =>
  expect(plain(readFileSync(written(name, schema), 'utf8'))).toBe(
    plain(readFileSync(written(name, file), 'utf8')),
  );

describe('a store in PostgreSQL', () => {
  it.each([
    'sessions ls',
    'sessions ls --json',
    'sessions show june',
    'sessions show june --json',
    'sessions show june --where operation:accounts.*',
    'sessions show june --shadow --json',
    'sessions head june',
    'sessions export june',
    'sessions export june --format har',
    'report june --format markdown',
  ])('gives %s', async (command) => {
    const { status, out } = await onBoth(() => command.split(' '));
    expect([status, out === '']).toEqual([0, false]);
  });

  it('gives one exchange, and a ticket on it', async () => {
    expect((await onBoth(() => ['sessions', 'show', 'june', id])).out).toContain(id);
    expect((await onBoth(() => ['ticket', id])).out).toContain(id);
    expect((await onBoth(() => ['ticket', '00000000000'])).status).toBe(2);
    expect((await onBoth(() => ['sessions', 'show', 'july'])).err).toMatch(/no session “july”.*june/s);
  });

  it('gives a report that is verified', async () => {
    await onBoth((store) => ['report', 'june', '--format', 'json', '--out', written('report.json', store)]);
    sameFiles('report.json');
    const { status, out } = await onBoth((store) => ['verify', written('report.json', store)]);
    expect([status, out]).toEqual([0, expect.stringMatching(/chain +sound[\s\S]*contents +sound/)]);
  });

  it('is sent again', async () => {
    const { out } = await onBoth(() => ['rerun', 'june', '--against', 'emulator', '--certs', path('certs')]);
    expect(out).toContain('14 calls of june against emulator');
  });

  it.each([
    ['rm', 'june'],
    ['import', path('june.json')],
  ])('refuses sessions %s without its key, and makes none', async (command, what) => {
    await sandgate(['sessions', 'export', 'june', '--store', file, '--out', path('june.json')]);
    const folder = path('elsewhere');
    const key = ['--store-key-file', join(folder, 'store.key')];
    const { status, err } = await sandgate(['sessions', command, what, '--store', schema, ...key]);
    expect([status, err]).toEqual([
      2,
      expect.stringMatching(/store\.key is not the key of the store postgres:\S+/),
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  it('takes in a file, and removes a session', async () => {
    await sandgate(['sessions', 'export', 'june', '--store', file, '--out', path('june.json')]);
    const into = ['sessions', 'import', path('june.json'), '--session', 'again'];
    expect((await onBoth(() => into)).status).toBe(0);
    await onBoth(() => ['sessions', 'show', 'again', '--json']);
    await onBoth((store) => ['report', 'again', '--format', 'json', '--out', written('again.json', store)]);
    expect((await onBoth((store) => ['verify', written('again.json', store)])).status).toBe(0);
    expect((await onBoth(() => ['sessions', 'rm', 'again'])).out).toMatch(
      /^Removed again: \d+ exchanges\.$/m,
    );
    expect((await onBoth(() => ['sessions', 'ls'])).out).not.toContain('again');
  });
});
