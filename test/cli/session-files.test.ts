/** `sandgate sessions export` and `import`: what leaves the store and comes back is the same. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { closeCall, openAnswer, openCall } from '../../src/exchange/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { createSqliteStore, noteIn, type RecordedExchange } from '../../src/store/index.js';
import { anExchange, NOW, TPP } from '../builders.js';
import { aQwac, factsOf } from '../certificate/made.js';
import { buildHar } from '../exchange/har/build-har.js';
import { aPath, append, factsIn, recordSource } from '../store/stores.js';

interface Outcome {
  status: number;
  out: string;
  err: string;
}

async function sessions(path: string, args: readonly string[], stdin = ''): Promise<Outcome> {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new PassThrough().on('data', (chunk) => {
      texts[name] += String(chunk);
    });
  const input = new PassThrough();
  input.end(stdin);
  const status = await run(['sessions', ...args], {
    stdin: input,
    stdout: stream('out'),
    stderr: stream('err'),
    env: { SANDGATE_STORE: path },
    clock: () => NOW,
    signal: new AbortController().signal,
  });
  return { status, ...texts };
}

const URLS = { api: 'https://localhost:41234', psu: 'http://127.0.0.1:41235' };

/** Everything that a gateway records: judged calls, refusals, callbacks, what was no call at all, and notes. */
function aFilledStore(): string {
  const path = aPath();
  const store = createSqliteStore({ path });
  const settings = {
    source: 'emulator',
    stance: 'enforce',
    profile: 'sandbox',
    segment: 'stdgroup',
    urls: URLS,
  } as const;
  noteIn(store, 'main', { at: NOW, kind: 'started', settings });
  const next = recordSource('main');
  const records: RecordedExchange[] = [
    next({
      call: {
        operation: 'accounts.list',
        headers: { Authorization: 'Bearer a-clear-token-1', host: 'localhost:41234' },
      },
      answer: { body: { accounts: [], _links: { self: { href: `${URLS.api}/stdgroup/v1/accounts` } } } },
    }),
    {
      ...next({ call: { operation: 'accounts.read' }, answer: { status: 401, source: 'rule' } }),
      findings: [FINDING],
    },
    strange(next(), ({ call: { id, at } }) => callback(id, at)),
    strange(next(), ({ call: { id, at } }) => noCall(id, at)),
    strange(next(), ({ call: { id, at } }) => onTheWrongListener(id, at)),
  ];
  append(store, ...records);
  noteIn(store, 'main', { at: NOW + 10, kind: 'changed', settings: { stance: 'observe' } });
  store.close();
  return path;
}

const FINDING = {
  rule: 'accounts/token-known',
  severity: 'must',
  judges: 'tpp',
  place: 'header Authorization',
  expected: 'a token issued here',
  actual: 'Bearer fp_x',
} as const;

type Exchange = RecordedExchange['exchange'];

function strange(record: RecordedExchange, make: (exchange: Exchange) => Exchange): RecordedExchange {
  return { ...record, exchange: make(record.exchange) };
}

const own = (id: string, at: number) => ({ id, at, session: 'main' });

function callback(id: string, at: number): Exchange {
  const target = 'http://127.0.0.1:9000/notify?x=1';
  const call = openCall(
    {
      ...own(id, at),
      listener: 'callback',
      connection: { address: '127.0.0.1', tls: null },
      certificate: 'absent',
      method: 'POST',
      target,
      headers: [['Host', '127.0.0.1:9000']],
      body: { text: '{}', size: 2 },
    },
    { kind: 'path-unknown', nearest: '' },
  );
  const answer = openAnswer({ source: 'upstream', status: 204, headers: [], body: null });
  return closeCall(call.with({ nearest: undefined, tpp: TPP }), answer, { total: 1, answerer: 1 });
}

function noCall(id: string, at: number): Exchange {
  const call = openCall(
    {
      ...own(id, at),
      listener: 'api',
      connection: { address: '203.0.113.7', tls: 'not-observed' },
      certificate: 'not-observed',
      ...{ method: '', target: '', headers: [], body: null },
    },
    { kind: 'path-unknown', nearest: '' },
  );
  const fault = { kind: 'handshake', message: 'The TLS handshake failed.' } as const;
  return closeCall(call.with({ nearest: undefined }), null, { total: 0, answerer: 0 }, fault);
}

function onTheWrongListener(id: string, at: number): Exchange {
  const { exchange } = recordSource('main')({ call: { operation: 'oauth.authorize', listener: 'api' } });
  const nearest = `${URLS.psu}/stdgroup/authorization/authorize/{authorisationId}`;
  return { ...exchange, call: exchange.call.with({ ...own(id, at), operation: null, params: {}, nearest }) };
}

function readAll(path: string, session: string): RecordedExchange[] {
  const store = createSqliteStore({ path, readonly: true });
  const all = [...store.read(session)];
  store.close();
  return all;
}

const beside = (path: string, name: string): string => join(dirname(path), name);

describe('a session', () => {
  it.each(['har', 'cassette'] as const)(
    'goes through a %s and comes out as the same bytes',
    async (format) => {
      const [from, to] = [aFilledStore(), aPath()];
      const first = await sessions(from, ['export', 'main', '--format', format, '--verdicts']);
      expect([first.status, first.err]).toEqual([0, '']);
      const file = beside(to, `file.${format}`);
      writeFileSync(file, first.out);
      expect(await sessions(to, ['import', file])).toEqual({
        ...{ status: 0, err: '' },
        out: 'Imported 5 exchanges as session main.\n',
      });
      const second = await sessions(to, ['export', 'main', '--format', format, '--verdicts']);
      expect(second.out).toBe(first.out);
    },
  );

  it.each(['har', 'cassette'] as const)(
    'keeps in a %s each member of an inspected certificate at its place',
    async (format) => {
      const [from, to] = [aPath(), aPath()];
      const pds = [{ url: 'https://tpp.example/pds', language: 'en' }];
      const inspected = factsOf(
        aQwac({ qualified: { compliance: true, types: ['web'], pds }, dnsNames: ['tpp.example'] }),
      );
      const certificate = {
        ...inspected,
        qcLimit: { currency: 'EUR', amount: 5, exponent: 3 },
        qcLegislation: ['BE'],
        revocation: { status: 'revoked', since: new Date(NOW).toISOString() },
        problems: ['Something.'],
      } as const;
      const store = createSqliteStore({ path: from });
      append(store, recordSource('main')({ call: { certificate } }));
      store.close();
      const first = await sessions(from, ['export', 'main', '--format', format]);
      expect(first.out).toContain('"qcLegislation"');
      expect((await sessions(to, ['import', '-'], first.out)).status).toBe(0);
      for (const name of ['-', '/dev/stdout'])
        expect((await sessions(to, ['export', 'main', '--format', format, '--out', name])).out).toBe(
          first.out,
        );
    },
  );

  it('is in a HAR with every record as it was, and its notes', async () => {
    const [from, to] = [aFilledStore(), aPath()];
    const file = beside(to, 'file.har');
    await sessions(from, ['export', 'main', '--out', file]);
    await sessions(to, ['import', file]);
    expect(readAll(to, 'main')).toEqual(readAll(from, 'main'));
    const [info] = JSON.parse((await sessions(to, ['ls', '--json'])).out);
    expect(info.notes).toMatchObject([
      { kind: 'imported', settings: { file, format: 'har', exchanges: 5, segment: 'stdgroup' } },
      { kind: 'started', settings: { urls: URLS } },
      { kind: 'changed', settings: { stance: 'observe' } },
    ]);
  });

  it('can be imported next to itself under another name, with ids of its own', async () => {
    const path = aFilledStore();
    const file = beside(path, 'file.har');
    await sessions(path, ['export', 'main', '--out', file]);
    const again = await sessions(path, ['import', file]);
    expect([again.status, again.err]).toEqual([2, expect.stringContaining('with --session')]);
    expect((await sessions(path, ['import', file, '--session', 'copy', '--json'])).out).toContain(
      '"exchanges": 5',
    );
    const [main, copy] = [readAll(path, 'main'), readAll(path, 'copy')];
    const ids = [...main, ...copy].map(({ exchange }) => exchange.call.id);
    expect(new Set(ids).size).toBe(10);
    const bare = (records: readonly RecordedExchange[]) =>
      records.map(({ exchange: { call, ...rest }, ...said }) => ({
        ...said,
        ...rest,
        call: { ...call, id: '', session: '' },
      }));
    expect(bare(copy)).toEqual(bare(main));
  });
});

describe('sessions export', () => {
  it('writes the addresses of a run as those of every run', async () => {
    const { out } = await sessions(aFilledStore(), ['export', 'main']);
    const cassette = JSON.parse(out);
    expect(cassette.origins).toEqual({ api: 'https://localhost:8443', psu: 'https://localhost:8444' });
    expect(out).toContain('https://localhost:8443/stdgroup/v1/accounts');
    expect(out).not.toContain('41234');
    expect(cassette.exchanges[0]).not.toHaveProperty('verdicts');
  });

  it('takes only what the filter lets through', async () => {
    const path = aFilledStore();
    const file = beside(path, 'refused.json');
    const args = ['export', 'main', '--out', file, '--where', 'status>=400 rule:accounts/*'];
    expect((await sessions(path, args)).out).toBe(`Wrote 1 exchange of main to ${file} (cassette).\n`);
    expect(JSON.parse(readFileSync(file, 'utf8')).exchanges).toMatchObject([{ operation: 'accounts.read' }]);
    const wrong = await sessions(path, ['export', 'main', '--where', 'rul:x']);
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('Did you mean “rule”')]);
  });

  it('leaves no half a file where it cannot write', async () => {
    const path = aFilledStore();
    const folder = dirname(path);
    const { status, err } = await sessions(path, ['export', 'main', '--out', folder]);
    expect([status, err]).toEqual([3, expect.stringContaining('cannot be written')]);
    expect(existsSync(`${folder}.part`)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('sessions import', () => {
  const TOKEN = 'a-clear-token-of-1-browser';
  /** As a browser or a proxy writes it: nothing of ours in it. */
  const foreign = () => {
    const records = [
      {
        exchange: anExchange({
          call: { operation: 'accounts.list', headers: { Authorization: `Bearer ${TOKEN}` } },
        }),
      },
      { exchange: anExchange({ call: { target: '/shop/cart' } }) },
    ];
    const har = JSON.parse(
      [...buildHar(records, { version: '1', session: 's', dialect: dialectOf() })].join(''),
    );
    delete har.log._sandgate;
    for (const entry of har.log.entries) delete entry._sandgate;
    return JSON.stringify(har);
  };

  it('redacts and judges traffic of others, and gives it ids by its times', async () => {
    const path = aPath();
    const { status, out } = await sessions(path, ['import', '-', '--session', 'browser'], foreign());
    expect([status, out]).toEqual([0, 'Imported 1 exchange as session browser. Skipped: 1 another path.\n']);
    const [record, ...more] = readAll(path, 'browser');
    expect(more).toEqual([]);
    expect(JSON.stringify(record)).not.toContain(TOKEN);
    expect(record?.exchange.call.header.authorization).toMatch(/^Bearer fp_/);
    expect(record?.verdicts).toMatchObject({
      'accounts/consent-id-present': 'violated',
      'certificate/presented': 'not-observed',
    });
    expect((await sessions(path, ['show', 'browser', '--where', 'rule:accounts/*'])).out).toContain(
      'accounts/consent-id-present',
    );
    for (const file of [path, `${path}-wal`]) {
      if (existsSync(file)) expect(readFileSync(file).includes(TOKEN)).toBe(false);
    }
  });

  it('takes times before 1970, as programs without a clock write them, for no change of the recording', async () => {
    const path = aPath();
    const har = JSON.parse(foreign());
    for (const entry of har.log.entries) entry.startedDateTime = '0001-01-01T00:00:00Z';
    await sessions(path, ['import', '-', '--session', 'old'], JSON.stringify(har));
    const { out, err } = await sessions(path, ['show', 'old']);
    expect([out, err]).toEqual([expect.stringContaining('0001-01-01 00:00:00.000'), '']);
  });

  it('brings nothing into the ledger', async () => {
    const path = aPath();
    await sessions(path, ['import', '-'], foreign());
    const store = createSqliteStore({ path });
    expect(await factsIn(store)).toEqual([]);
    store.close();
  });

  it('takes a name out of that of the file', async () => {
    const path = aPath();
    const file = beside(path, 'my traffic (1).har');
    writeFileSync(file, foreign());
    expect((await sessions(path, ['import', file])).out).toContain('as session my-traffic-1-.');
  });

  it('says what is wrong with a file, and makes no session of it', async () => {
    const path = aPath();
    const broken = await sessions(path, ['import', '-'], '{"log":{"entries":[{}]}}');
    expect([broken.status, broken.err]).toEqual([2, expect.stringContaining('log.entries[0].request')]);
    const missing = await sessions(path, ['import', beside(path, 'none.har')]);
    expect([missing.status, missing.err]).toEqual([2, expect.stringContaining('there is no such file')]);
    expect(existsSync(path)).toBe(false);
  });

  it.each(['a/b', '..', '.', 'x y', 'a'.repeat(70), ''])('refuses to call a session “%s”', async (name) => {
    const path = aPath();
    const { status, err } = await sessions(path, ['import', '-', '--session', name], foreign());
    expect([status, err]).toEqual([
      2,
      `A session cannot be called “${name}”: give it one name of 1 to 64 letters, digits, dots, underscores or dashes, not of dots alone, and without an account number or a token, with --session.\n`,
    ]);
    expect(existsSync(path)).toBe(false);
  });

  it('makes no session where the file holds no call to the host', async () => {
    const path = aPath();
    const { status, err } = await sessions(path, ['import', '-', '--host', 'bank.exmple'], foreign());
    expect([status, err]).toEqual([
      2,
      'Standard input holds no call to bank.exmple: it holds calls to localhost:8443.\n',
    ]);
    expect(existsSync(path)).toBe(false);
  });

  it('leaves a session readable whose name could not be given today', async () => {
    const path = aPath();
    const store = createSqliteStore({ path });
    append(store, recordSource('x y/..')());
    store.close();
    expect((await sessions(path, ['ls'])).out).toContain('x y/..');
    expect((await sessions(path, ['show', 'x y/..'])).out).toContain('consents.read');
    const { out } = await sessions(path, ['export', 'x y/..']);
    expect(JSON.parse(out)).toMatchObject({ session: 'x y/..', exchanges: [{}] });
    expect((await sessions(path, ['import', '-', '--session', 'better'], out)).status).toBe(0);
    expect((await sessions(path, ['rm', 'x y/..'])).status).toBe(0);
    expect((await sessions(path, ['ls'])).out).not.toContain('x y/..');
  });

  it('takes back what it brought in when it is interrupted', async () => {
    const path = aPath();
    const records = Array.from({ length: 300 }, () => ({ exchange: anExchange() }));
    const har = JSON.parse(
      [...buildHar(records, { version: '1', session: 'long', dialect: dialectOf() })].join(''),
    );
    const stop = new AbortController();
    const stdin = new PassThrough();
    stdin.end(JSON.stringify(har));
    let err = '';
    const stderr = new PassThrough().on('data', (chunk) => {
      err += String(chunk);
    });
    const working = run(['sessions', 'import', '-'], {
      ...{ stdin, stderr, stdout: new PassThrough(), clock: () => NOW, signal: stop.signal },
      env: { SANDGATE_STORE: path },
    });
    stop.abort();
    expect(await working).toBe(3);
    expect(err).toBe('Interrupted: nothing of Standard input was imported. Run it again.\n');
    expect((await sessions(path, ['ls'])).out).toContain('holds no session yet');
  });
});
