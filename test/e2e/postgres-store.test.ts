/** A gateway on a PostgreSQL store: what is recorded there, and what its clients see of the server's faults. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.js';
import { folderOfTest } from '../folder.js';
import { startProxy } from '../postgres/proxy.js';
import { addressOf } from '../postgres/run-server.js';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { eventually, startTestGateway } from './harness.js';

const ACCOUNTS = '/stdgroup/v1/accounts';
const STATUS = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';

const aFile = (name: string): string => {
  return join(folderOfTest(), name);
};

async function aGateway(store: string, settings: Record<string, unknown> = {}) {
  const gateway = await startTestGateway({ store, storeKeyFile: aFile('store.key'), ...settings });
  onTestFinished(() => gateway.app.close());
  return gateway;
}

async function sandgate(...args: readonly string[]) {
  let text = '';
  const out = new PassThrough().on('data', (chunk) => {
    text += String(chunk);
  });
  const status = await run(args, {
    ...{ stdin: new PassThrough(), stdout: out, stderr: out, env: {}, clock: Date.now },
    signal: new AbortController().signal,
  });
  return { status, text };
}

describe('a gateway on a PostgreSQL store', () => {
  it('records what it answers, and what it recorded is there for the next one and for commands', async () => {
    const store = aSchema();
    const storeKeyFile = aFile('store.key');
    const { call, app } = await aGateway(store, { storeKeyFile });
    expect((await call(STATUS)).status).toBe(200);
    expect((await call(ACCOUNTS)).status).toBe(400);
    await app.close();
    await expect(aGateway(store)).rejects.toThrow(/store\.key is not the key of the store postgres:\S+/);
    const again = await aGateway(store, { storeKeyFile });
    expect((await all(again.app.store.read('test'))).map(({ exchange }) => exchange.answer?.status)).toEqual([
      200, 400,
    ]);
    const { text } = await sandgate('sessions', 'show', 'test', '--store', store);
    expect(text).toContain('consents.status');
    expect(await all(again.app.store.chains.verify('test'))).toEqual([]);
  });

  it('answers from a session that another gateway recorded there', async () => {
    const store = aSchema();
    const storeKeyFile = aFile('store.key');
    const { call, app } = await aGateway(store, { storeKeyFile });
    expect((await call(STATUS)).status).toBe(200);
    await app.close();
    const again = await aGateway(store, { storeKeyFile, source: 'replay', replay: 'test', session: 'again' });
    const { status, headers } = await again.call(STATUS);
    expect([status, headers['sandgate-source']]).toEqual([200, 'replay']);
  });

  it('answers 500, then 503 while the network to the server is silent or cut, forgets nothing, and comes back by itself', async () => {
    const server = inject('postgres');
    const proxy = await startProxy(server.port);
    const schema = new URL(aSchema()).searchParams.get('schema') ?? '';
    const store = addressOf({ ...server, port: proxy.port }, schema);
    const limits = { 'storeLimits.connect': '1s', 'storeLimits.statement': '1s' };
    const { call, app } = await aGateway(store, limits);
    expect((await call(STATUS)).status).toBe(200);
    proxy.set('silent');
    // Nobody knows what the server does with what it was sent.
    expect((await call(STATUS)).status).toBe(500);
    const refused = await call(STATUS);
    expect([refused.status, refused.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    proxy.set('through');
    await eventually(async () => expect((await call(STATUS)).status).toBe(200));
    proxy.cut();
    await eventually(async () => expect((await call(STATUS)).status).toBe(200));
    const statuses = (await all(app.store.read('test'))).map(({ exchange }) => exchange.answer?.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await all(app.store.chains.verify('test'))).toEqual([]);
  });

  it('does not say that nothing was done where it cannot know, and counts it where it was', async () => {
    const server = inject('postgres');
    const proxy = await startProxy(server.port);
    const schema = new URL(aSchema()).searchParams.get('schema') ?? '';
    const store = addressOf({ ...server, port: proxy.port }, schema);
    const limits = { 'storeLimits.connect': '1s', 'storeLimits.statement': '1s' };
    const { call, token, accountHeaders, app } = await aGateway(store, limits);
    const headers = accountHeaders(await token(), { 'PSU-IP-Address': undefined });
    const read = () => call(ACCOUNTS, { headers });
    proxy.set('lose-answer-and-all');
    const uncertain = await read();
    expect([uncertain.status, uncertain.codes]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
    expect(uncertain.text).toMatch(/Whether this call was recorded, and took effect, is not known/);
    proxy.set('through');
    await eventually(async () => expect((await read()).status).toBe(200));
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await read()).status);
    const ids = (await all(app.store.read('test'))).map(({ exchange }) => exchange.call.id);
    // A busy server may be cut off before it commits: what is not recorded does not count.
    const wasRecorded = ids.includes(String(uncertain.headers['sandgate-exchange']));
    expect(statuses).toEqual(wasRecorded ? [200, 200, 429] : [200, 200, 200]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps its password out of everything that is shown', async () => {
    const { password } = inject('postgres');
    const store = aSchema();
    const listed = await sandgate('sessions', 'ls', '--store', store);
    expect(listed.text).toMatch(/There is no store at postgres:/);
    const { app } = await aGateway(store);
    const passwordFile = aFile('password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const without = store.replace(`:${password}@`, '@');
    const free = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
    const doctor = await sandgate(
      'doctor',
      '--store',
      without,
      '--store-password-file',
      passwordFile,
      ...free,
    );
    expect(doctor.text).toMatch(
      /postgres:\/\/sandgate@127\.0\.0\.1:\d+\/postgres\?schema=\S+ holds 0 exchanges/,
    );
    const config = await sandgate('serve', '--print-config', '--store', store);
    for (const { text } of [listed, doctor, config]) expect(text).not.toContain(password);
    await app.close();
  });
});
