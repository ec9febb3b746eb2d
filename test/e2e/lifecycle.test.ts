/** Stopping in order, stopping at once, and being killed: what a client saw answered is in the store. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { aPath, append, recordSource } from '../store/stores.js';
import { startProgram, startServing, temporaryFolder } from './child.js';
import { testCertificates, VERIFIER } from './harness.js';
import { statusOf, untilClosed } from './raw.js';

let certs: string;
beforeAll(async () => {
  certs = await testCertificates();
});

const file = (name: string) => readFileSync(join(certs, name), 'utf8');
const identity = () => ({ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') });

const BODY = `grant_type=authorization_code&code=AIS_VALID_CODE&client_id=VALID_CLIENT_ID&code_verifier=${VERIFIER}`;
const HEAD = [
  'POST /stdgroup/v1/token HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${BODY.length}`,
  'Expect: 100-continue',
  '',
  '',
].join('\r\n');

/** A call whose body is still to come: it runs. */
async function beginCall(api: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect({
    host: '127.0.0.1',
    servername: 'localhost',
    port: Number(new URL(api).port),
    ...identity(),
  });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const goAhead = new Promise((resolve) => socket.once('data', resolve));
  socket.write(HEAD);
  await goAhead;
  return { socket, answer: untilClosed(socket) };
}

const refused = (api: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(api).port), ...identity() });
    socket.once('error', () => resolve(true));
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(false);
    });
  });

/** A store of a session `main`, of which more is said than a pipe holds. */
function aLongSession(): string {
  const path = aPath();
  const store = createSqliteStore({ path });
  const next = recordSource('main');
  append(store, ...Array.from({ length: 4_000 }, () => next()));
  store.close();
  return path;
}

describe('a signal', () => {
  it.each([
    [
      ['sessions', 'show', 'main'],
      [3, null],
    ],
    [
      ['report', 'main', '--format', 'json'],
      [null, 'SIGINT'],
    ],
  ])(
    'ends a command whose reader stands still, which says that not all was written: %j',
    async (args, how) => {
      const { process: child, tells } = startProgram([...args, '--store', aLongSession()]);
      const exited = once(child, 'exit');
      child.stdout?.once('data', () => {
        child.stdout?.pause();
        child.kill('SIGINT');
      });
      await tells('Interrupted: not all of it was written. Run it again.\n');
      expect(await exited).toEqual(how);
    },
  );

  it('that comes a second time ends a command whose file is a pipe that nobody reads', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    spawnSync('mkfifo', [pipe]);
    const args = ['sessions', 'export', 'main', '--out', pipe, '--store', aLongSession()];
    const { process: child, ended } = startProgram(args);
    const reader = await open(pipe);
    onTestFinished(() => reader.close());
    // From the first byte on it writes more than the pipe holds; before, it could end by the first signal.
    await reader.read(Buffer.alloc(1), 0, 1);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    // Two signals that wait for a busy process may reach it in either order: the one that comes second ends it.
    expect(await ended).toMatchObject({ code: null, signal: expect.stringMatching(/^SIG(?:INT|TERM)$/) });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets running calls finish, takes no new ones, and ends with 0',
    async (signal) => {
      const gateway = await startServing(certs);
      const { socket, answer } = await beginCall(gateway.ready.api);
      gateway.process.kill(signal);
      await expect.poll(() => refused(gateway.ready.api)).toBe(true);
      socket.write(BODY);
      const text = await answer;
      expect([statusOf(text), /\r\nconnection: close\r\n/i.test(text)]).toEqual([200, true]);
      expect(await gateway.ended).toMatchObject({ code: 0, signal: null, stderr: '' });

      const store = createSqliteStore({ path: gateway.store, readonly: true });
      // The looks at the closing door may have left failed handshakes.
      const calls = [...store.read('test')].filter(({ exchange }) => exchange.call.operation !== null);
      expect(calls.map(({ exchange }) => exchange.answer?.status)).toEqual([200]);
      const kinds = store.sessions().flatMap(({ notes }) => notes.map(({ kind }) => kind));
      expect(kinds).toEqual(['started', 'stopped']);
      store.close();
    },
  );

  it('does not wait longer than it may for calls that do not finish', async () => {
    const gateway = await startServing(certs, ['--limits-stop', '300ms']);
    const { answer } = await beginCall(gateway.ready.api);
    gateway.process.kill('SIGTERM');
    await answer;
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });

  it('that comes a second time stops at once', async () => {
    // Longer than the test may take.
    const gateway = await startServing(certs, ['--limits-stop', '120s']);
    const { answer } = await beginCall(gateway.ready.api);
    gateway.process.kill('SIGTERM');
    await expect.poll(() => refused(gateway.ready.api)).toBe(true);
    gateway.process.kill('SIGTERM');
    await answer;
    expect(await gateway.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });
});

describe('kill -9 during load', () => {
  it.each(['process', 'power'])(
    'loses nothing that a client saw answered, with durability %s',
    async (durability) => {
      const gateway = await startServing(certs, ['--durability', durability]);
      const agent = new Agent({ connect: identity(), connections: 16 });
      const seen: string[] = [];
      const url = `${gateway.ready.api}/stdgroup/v1/consents/VALID_CONSENT_ID`;
      const client = async () => {
        for (;;) {
          const answer = await request(url, {
            dispatcher: agent,
            headers: { 'X-Request-ID': crypto.randomUUID() },
          });
          await answer.body.dump();
          seen.push(String(answer.headers['sandgate-exchange']));
          if (seen.length === 1_000) gateway.process.kill('SIGKILL');
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: 16 }, client));
      expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
      expect((await gateway.ended).signal).toBe('SIGKILL');
      await agent.destroy();

      const store = createSqliteStore({ path: gateway.store, readonly: true });
      const kept = new Set([...store.read('test')].map(({ exchange }) => exchange.call.id));
      expect(seen.length).toBeGreaterThanOrEqual(1_000);
      expect(seen.filter((id) => !kept.has(id))).toEqual([]);
      store.close();
    },
  );

  it('leaves a store that the next gateway goes on with', async () => {
    const first = await startServing(certs);
    const agent = new Agent({ connect: identity() });
    const form = await request(`${first.ready.api}/stdgroup/v1/token`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: BODY,
    });
    const { access_token: token } = (await form.body.json()) as { access_token: string };
    first.process.kill('SIGKILL');
    await first.ended;

    const second = await startServing(certs, [], first.folder);
    const accounts = await request(`${second.ready.api}/stdgroup/v1/accounts`, {
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${token}`,
        'consent-id': 'VALID_CONSENT_ID',
        'x-request-id': crypto.randomUUID(),
      },
    });
    expect(accounts.statusCode).toBe(200);
    await accounts.body.dump();
    await agent.close();
    second.process.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });
});
