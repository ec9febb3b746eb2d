/** A gateway signs what it records: its key, its checkpoints in the store and outside, and what commands tell of them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkWitness } from '../../src/evidence/index.js';
import { openStampAnchors } from '../../src/evidence/time-stamp/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { sandgate } from '../cli/run-command.js';
import { ANCHORS, startAuthority } from '../evidence/time-stamp/authority.js';
import { folderOfTest } from '../folder.js';
import { REQUEST_ID, startTestGateway } from './harness.js';

function aFolder(): string {
  const folder = folderOfTest();
  return folder;
}

/** A gateway that answered three calls, and was stopped. */
async function recorded(settings: Record<string, unknown> = {}) {
  const folder = aFolder();
  const path = join(folder, 'sandgate.db');
  const gateway = await startTestGateway({ store: path, ...settings });
  for (let i = 0; i < 3; i++)
    await gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { headers: { 'X-Request-ID': REQUEST_ID } });
  await gateway.close();
  const keys = [{ pem: gateway.file('evidence.pub'), name: 'evidence.pub' }];
  const open = () => {
    const store = createSqliteStore({ path, readonly: true });
    onTestFinished(store.close);
    return store;
  };
  return { folder, path, certs: gateway.certs, keys, open };
}

describe('a gateway', () => {
  it('makes a key for its owner only at its first start, and signs all that it records with it', async () => {
    const { certs, keys, open } = await recorded();
    expect(statSync(join(certs, 'evidence.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(certs, 'evidence.pub'), 'utf8')).toContain('BEGIN PUBLIC KEY');
    expect(await checkWitness(open(), 'test', { keys })).toMatchObject({
      ...{ breaks: [], witnessed: 3, unwitnessed: 0, checkpoints: [{ state: 'fits' }] },
    });
  });

  it('hands each checkpoint on to a file, or to a command', async () => {
    const out = join(aFolder(), 'checkpoints.jws');
    const { open } = await recorded({ checkpointTo: out });
    const statement = open().chains.notes('test', 'checkpoint')[0]?.settings.statement;
    expect(readFileSync(out, 'utf8')).toBe(statement);
    const other = join(aFolder(), 'by command.jws');
    await recorded({ checkpointTo: `| cat >> '${other}'` });
    expect(readFileSync(other, 'utf8')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  it('answers and signs although a checkpoint cannot be handed on', async () => {
    const { keys, open } = await recorded({ checkpointTo: '| exit 3', logLevel: 'silent' });
    expect(await checkWitness(open(), 'test', { keys })).toMatchObject({ witnessed: 3 });
  });

  it('has each checkpoint stamped by an authority, and answers and signs without one', async () => {
    const { url, close } = await startAuthority();
    onTestFinished(close);
    const { keys, open, certs } = await recorded({ timestampUrl: url });
    expect((await checkWitness(open(), 'test', { keys, anchors: ANCHORS })).checkpoints).toMatchObject([
      { state: 'fits', stamped: { state: 'trusted', authority: 'CN=Test TSA' } },
    ]);
    const anchors = openStampAnchors(readFileSync(join(certs, 'ca.pem')), 'ca.pem');
    expect((await checkWitness(open(), 'test', { keys, anchors })).checkpoints).toMatchObject([
      { stamped: { state: 'stranger' } },
    ]);
    const { open: other } = await recorded({ timestampUrl: 'http://127.0.0.1:9/', logLevel: 'silent' });
    expect(await checkWitness(other(), 'test', { keys })).toMatchObject({ breaks: [], witnessed: 3 });
  });

  it('takes the key that it is given, and says where there is none', async () => {
    const own = join(aFolder(), 'own.key');
    await expect(recorded({ evidenceKey: own })).rejects.toThrow(/There is no key at .*own\.key/);
    expect(existsSync(own)).toBe(false);
    const { certs } = await recorded();
    const { keys, open } = await recorded({ evidenceKey: join(certs, 'tpp-ec.key') });
    expect(await checkWitness(open(), 'test', { keys })).toMatchObject({ unknown: 1, witnessed: 0 });
  });
});

describe('a report while the gateway runs', () => {
  it('is witnessed whenever it is made: the gateway signs a checkpoint first', async () => {
    const path = join(aFolder(), 'sandgate.db');
    const gateway = await startTestGateway({ store: path });
    const { certs, urls, call } = gateway;
    const report = () =>
      sandgate([
        'report',
        'test',
        '--store',
        path,
        '--certs',
        certs,
        '--admin',
        urls.admin,
        '--format',
        'json',
      ]);
    for (let i = 1; i <= 2; i++) {
      await call('/stdgroup/v1/consents/VALID_CONSENT_ID', { headers: { 'X-Request-ID': REQUEST_ID } });
      const { out, err } = await report();
      expect(err).toBe('');
      expect(JSON.parse(out).evidence).toMatchObject({ level: 'witnessed', witness: { checkpoints: i } });
    }
    // Nothing new is signed where nothing was recorded.
    expect(JSON.parse((await report()).out).evidence.witness.checkpoints).toBe(2);
    await gateway.close();
    const { status, err } = await report();
    expect([status, err]).toEqual([3, expect.stringContaining(urls.admin)]);
    const settings = ['--store', path, '--certs', certs, '--require', 'witnessed'];
    const env = { SANDGATE_ADMIN_LISTEN: new URL(urls.admin).host };
    expect((await sandgate(['report', 'test', ...settings], { env })).err).toBe('');
  });
});

describe('sessions head', () => {
  it('prints what to publish: session, count, head, time, newest checkpoint', async () => {
    const { path, open } = await recorded();
    const said = await sandgate(['sessions', 'head', 'test', '--store', path, '--json']);
    const head = JSON.parse(said.out);
    expect(head).toMatchObject({
      ...{ session: 'test', exchanges: 3, entries: 7, ...{ head: open().chains.of('test')[0]?.head } },
      checkpoint: { signed: { entries: 6, session: 'test' }, statement: expect.stringMatching(/^[\w.-]+$/) },
    });
    const { out, status } = await sandgate(['sessions', 'head', 'test', '--store', path]);
    expect([status, out]).toEqual([0, expect.stringContaining(head.head)]);
    expect(out).toContain(head.checkpoint.statement);
  });
});

describe('show, export and ticket', () => {
  it('warn of what is not as it was recorded, name the exchange, and end with 1', async () => {
    const { path, open, folder } = await recorded();
    const [first, second] = [...open().read('test')].map(({ exchange }) => exchange.call.id) as [
      string,
      string,
    ];
    const run = (...args: string[]) => sandgate([...args, '--store', path]);
    const out = join(folder, 'out.json');
    const commands: string[][] = [
      ['sessions', 'show', 'test'],
      ['sessions', 'show', 'test', first],
      ['sessions', 'export', 'test', '--out', out],
      ['ticket', first],
    ];
    for (const args of commands) expect(await run(...args)).toMatchObject({ status: 0, err: '' });
    const db = new Sqlite(path);
    db.exec("UPDATE exchanges SET own = replace(own, 'VALID', 'OTHER') WHERE seq = 3");
    db.close();
    for (const args of commands)
      expect(await run(...args)).toMatchObject({
        status: 1,
        err: expect.stringContaining(`Exchange ${first} is not as`),
      });
    const broken = new Sqlite(path);
    broken.exec("UPDATE exchanges SET own = '[', findings = '{' WHERE seq = 3");
    broken.close();
    for (const args of commands) {
      const { status, err } = await run(...args);
      expect(err).toMatch(new RegExp(`${first}.* is not as it was recorded`));
      expect([status, err.includes('damaged')]).toEqual([1, false]);
    }
    expect((await run('sessions', 'show', 'test')).out).toContain(second);
  });
});
