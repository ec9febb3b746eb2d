/** `sandgate sessions`: what people and scripts see of a store. */
import { existsSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { Finding } from '../../src/rules/index.js';
import { createSqliteStore, noteIn, type RecordedExchange } from '../../src/store/index.js';
import { aCertificate, NOW, TPP } from '../builders.js';
import { aPath, append, recordSource } from '../store/stores.js';
import { sandgate } from './run-command.js';

interface Outcome {
  status: number;
  out: string;
  err: string;
}

async function sessions(path: string, ...args: string[]): Promise<Outcome> {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new PassThrough().on('data', (chunk) => {
      texts[name] += String(chunk);
    });
  const status = await run(['sessions', ...args], {
    stdin: new PassThrough(),
    stdout: stream('out'),
    stderr: stream('err'),
    env: { SANDGATE_STORE: path },
    clock: () => NOW,
    signal: new AbortController().signal,
  });
  return { status, ...texts };
}

const FINDING: Finding = {
  rule: 'accounts/token-known',
  severity: 'must',
  judges: 'tpp',
  place: 'header Authorization',
  expected: 'a token issued here',
  actual: 'Bearer fp_x\u001b[31m\r\nforged line',
};

/** A store with two sessions, closed; `main` has three exchanges. */
function aFilledStore(): { path: string; records: RecordedExchange[] } {
  const path = aPath();
  const store = createSqliteStore({ path });
  const next = recordSource('main');
  const certificate = aCertificate();
  const plain = next({
    call: { operation: 'accounts.list', certificate, headers: { Authorization: 'Bearer a-clear-token-1' } },
    answer: { body: { accounts: [{ iban: 'BE68539007547034' }] } },
  });
  const refused = {
    ...next({ call: { operation: 'accounts.read' }, answer: { status: 401, source: 'rule' } }),
    findings: [FINDING],
  };
  const failed = next({ call: { target: '/nowhere?a=1', certificate: 'absent' }, answer: null });
  const fault = { kind: 'timeout', message: 'The client was too slow.' } as const;
  const records = [plain, refused, { ...failed, exchange: { ...failed.exchange, fault } }];
  noteIn(store, 'main', {
    at: NOW,
    kind: 'started',
    settings: { source: 'emulator', stance: 'enforce', profile: 'sandbox' },
  });
  noteIn(store, 'main', { at: NOW + 5, kind: 'changed', settings: { stance: 'observe' } });
  append(store, ...records);
  append(store, recordSource('other', NOW + 86_400_000)());
  store.close();
  return { path, records };
}

const idOf = (record: RecordedExchange | undefined): string => record?.exchange.call.id ?? '';

it('sessions show tells of calls that could not be recorded, and so does the head of a report', async () => {
  const { path } = aFilledStore();
  const opened = createSqliteStore({ path });
  for (const calls of [1, 2]) {
    const [from, to] = [`2026-06-15T10:0${calls}:00.000Z`, `2026-06-15T10:1${calls}:00.000Z`];
    noteIn(opened, 'main', { at: Date.parse(to), kind: 'unrecorded', settings: { calls, from, to } });
  }
  opened.close();
  const said =
    '3 calls between 2026-06-15T10:01:00.000Z and 2026-06-15T10:12:00.000Z could not be recorded: they were answered, but are not in this session.';
  expect((await sessions(path, 'show', 'main')).err).toBe(`${said}\n`);
  expect((await sessions(path, 'show', 'other')).err).toBe('');
  const { out } = await sandgate(['report', 'main', '--store', path, '--format', 'json', '--out', '-']);
  const { head } = JSON.parse(out);
  expect([head.unrecorded.calls, head.notes[0]]).toEqual([3, said]);
});

describe('sessions ls', () => {
  it('lists the sessions with their latest settings', async () => {
    const { path } = aFilledStore();
    const { out, status } = await sessions(path, 'ls');
    expect(status).toBe(0);
    expect(await sessions(path)).toEqual({ out, status, err: '' });
    expect(await sessions(path, 'list')).toEqual({ out, status, err: '' });
    const [head, first, second] = out.split('\n');
    expect(head).toMatch(/^SESSION +BEGAN \(UTC\) +LAST \(UTC\) +EXCHANGES +SOURCE +STANCE +PROFILE$/);
    expect(first).toMatch(/^main +2026-06-15 10:00:00 +2026-06-15 10:00:00 +3 +emulator +observe +sandbox$/);
    expect(second).toMatch(/^other +2026-06-16 10:00:00 .* 1 +- +- +-$/);
  });

  it('gives scripts everything', async () => {
    const { out } = await sessions(aFilledStore().path, 'ls', '--json');
    expect(JSON.parse(out)).toMatchObject([
      {
        name: 'main',
        exchanges: 3,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        notes: [{ kind: 'started' }, { kind: 'changed' }],
      },
      { name: 'other', exchanges: 1 },
    ]);
  });

  it('says so where nothing was recorded yet', async () => {
    const path = aPath();
    createSqliteStore({ path }).close();
    expect((await sessions(path, 'ls')).out).toContain('holds no session yet');
    expect(JSON.parse((await sessions(path, 'ls', '--json')).out)).toEqual([]);
  });
});

describe('sessions show', () => {
  it('prints a line an exchange, and below it what is wrong with it', async () => {
    const { path, records } = aFilledStore();
    const { out, status } = await sessions(path, 'show', 'main');
    expect(status).toBe(0);
    const ids = records.map(idOf);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/ +/g, ' ')),
    ).toEqual([
      'TIME (UTC) EXCHANGE STATUS SOURCE MS TPP OPERATION',
      `2026-06-15 10:00:00.001 ${ids[0]} 200 emulator 2.00 ${TPP} accounts.list`,
      `2026-06-15 10:00:00.002 ${ids[1]} 401 rule 2.00 ${TPP} accounts.read`,
      ' must accounts/token-known at header Authorization: expected a token issued here, found Bearer fp_x\\x1b[31m forged line',
      `2026-06-15 10:00:00.003 ${ids[2]} - - 2.00 - GET /nowhere`,
      ' timeout: The client was too slow.',
    ]);
  });

  it('prints only what the filter lets through', async () => {
    const { path, records } = aFilledStore();
    const { out } = await sessions(path, 'show', 'main', '--where', 'status>=400');
    expect([out.includes(idOf(records[1])), out.includes(idOf(records[0]))]).toEqual([true, false]);
    const wrong = await sessions(path, 'show', 'main', '--where', 'statsu>=400');
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('Did you mean “status”')]);
  });

  it('gives scripts an array of plain records', async () => {
    const { path, records } = aFilledStore();
    const all = JSON.parse((await sessions(path, 'show', 'main', '--json')).out) as unknown[];
    expect(all).toHaveLength(3);
    expect(all[0]).toMatchObject({
      call: { id: idOf(records[0]), request: { method: 'GET', target: '/stdgroup/v1/accounts' }, tpp: TPP },
      answer: { status: 200, body: { text: expect.stringContaining('BE68') } },
      verdicts: { 'requests/known-path': 'complied' },
      findings: [],
    });
    expect(all[0]).not.toHaveProperty('call.header');
    expect(JSON.parse((await sessions(path, 'show', 'main', '--json', '--where', 'status=999')).out)).toEqual(
      [],
    );
  });

  it.each([
    ['as it is', (id: string) => [id]],
    ['in small letters', (id: string) => [id.toLowerCase()]],
  ])('prints one exchange whole, given %s', async (_, asArgs) => {
    const { path, records } = aFilledStore();
    const { out, status } = await sessions(path, 'show', 'main', ...asArgs(idOf(records[0])));
    expect(status).toBe(0);
    for (const text of [
      `exchange:    ${idOf(records[0])} of session main\n`,
      'took 2.00 ms, the source 1.00 ms of it',
      '127.0.0.1, TLSv1.3 TLS_AES_256_GCM_SHA384\n',
      'CN=tpp.example, O=Test TPP',
      '> GET /stdgroup/v1/accounts\n> host: localhost:8443\n',
      '> Authorization: Bearer fp_',
      '< 200 from emulator\n< Content-Type: application/json\n\n{\n  "accounts": [\n',
      'complied (1): requests/known-path\n',
    ])
      expect(out).toContain(text);
    expect(out).not.toContain('a-clear-token-1');
  });

  it('gives scripts one exchange as an object', async () => {
    const { path, records } = aFilledStore();
    const { out } = await sessions(path, 'show', 'main', idOf(records[2]), '--json');
    expect(JSON.parse(out)).toMatchObject({
      call: { id: idOf(records[2]) },
      answer: null,
      fault: { kind: 'timeout' },
    });
  });

  it('names the nearest session, and where an exchange is that is not in it', async () => {
    const { path, records } = aFilledStore();
    const unknown = await sessions(path, 'show', 'mian');
    expect([unknown.status, unknown.err]).toEqual([
      2,
      expect.stringMatching(/no session “mian” in .*\. Did you mean “main”\? There are: other, main\./),
    ]);
    const elsewhere = await sessions(path, 'show', 'other', idOf(records[0]));
    expect([elsewhere.status, elsewhere.err]).toEqual([
      2,
      `The session other holds no exchange ${idOf(records[0])}: it is in the session main.\n`,
    ]);
    expect((await sessions(path, 'show', 'main', 'nonsense')).err).toBe(
      'The session main holds no exchange nonsense: sandgate sessions show SESSION lists them.\n',
    );
  });

  it('waits for a slow reader, and stops when nobody reads on', async () => {
    const path = aPath();
    const store = createSqliteStore({ path });
    const next = recordSource('main');
    append(store, ...Array.from({ length: 2_000 }, () => next()));
    store.close();
    let chunks = 0;
    const stdout = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        chunks += 1;
        setImmediate(() => {
          done();
          if (chunks === 100) stdout.destroy();
        });
      },
    });
    const parts = { stdin: new PassThrough(), stderr: new PassThrough(), env: { SANDGATE_STORE: path } };
    const status = await run(['sessions', 'show', 'main'], {
      ...parts,
      stdout,
      clock: () => NOW,
      signal: new AbortController().signal,
    });
    expect([status, chunks]).toEqual([0, 100]);
  });

  it.each([
    ['show', 'main'],
    ['show', 'main', '--json'],
    ['export', 'main'],
  ])('ends with a signal where its reader stands still (%s %s %s)', async (...args) => {
    const { path } = aFilledStore();
    const stop = new AbortController();
    const stdout = new Writable({ highWaterMark: 1, write: () => setImmediate(() => stop.abort()) });
    let err = '';
    const stderr = new PassThrough().on('data', (chunk) => {
      err += String(chunk);
    });
    const parts = { stdin: new PassThrough(), stderr, stdout, env: { SANDGATE_STORE: path } };
    const status = await run(['sessions', ...args], { ...parts, clock: () => NOW, signal: stop.signal });
    expect([status, err]).toEqual([3, 'Interrupted: not all of it was written. Run it again.\n']);
  });

  it('works while the store is being written', async () => {
    const { path, records } = aFilledStore();
    const store = createSqliteStore({ path });
    const next = recordSource('main', NOW + 60_000);
    append(store, next());
    const { out } = await sessions(path, 'show', 'main');
    append(store, next());
    store.close();
    expect(out.split('\n').filter((line) => line.startsWith('2026-06-15'))).toHaveLength(records.length + 1);
  });
});

describe('sessions rm', () => {
  it('removes a session and says how much that was', async () => {
    const { path } = aFilledStore();
    expect(await sessions(path, 'rm', 'main')).toEqual({
      status: 0,
      out: 'Removed main: 3 exchanges.\n',
      err: '',
    });
    expect((await sessions(path, 'ls')).out).not.toContain('main');
    expect(JSON.parse((await sessions(path, 'rm', 'other', '--json')).out)).toEqual({
      session: 'other',
      removed: 1,
    });
    expect(await sessions(path, 'rm', 'main')).toMatchObject({
      status: 2,
      err: expect.stringContaining('holds no session yet'),
    });
  });

  it('makes no store where there is none', async () => {
    const path = aPath();
    const { status, err } = await sessions(path, 'rm', 'main');
    expect([status, err]).toEqual([2, expect.stringMatching(/^There is no store at /)]);
    expect(existsSync(path)).toBe(false);
  });
});

describe('the store of the command', () => {
  it('is named by a flag too', async () => {
    const { path } = aFilledStore();
    expect((await sessions(aPath(), 'ls', '--store', path)).out).toContain('main');
  });

  it('cannot be one in memory', async () => {
    expect(await sessions(':memory:', 'ls')).toMatchObject({
      status: 2,
      err: expect.stringContaining('in memory'),
    });
  });
});
