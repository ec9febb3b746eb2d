/** `serve --workers`: several processes behind the same listeners, on one store, which answer as one gateway. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gatewayNotes } from '../../src/exchange/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { startServing } from '../e2e/child.js';
import { eventually, testCertificates, VERIFIER } from '../e2e/harness.js';
import { addressOf, runServer } from '../postgres/run-server.js';
import { sandgate } from './run-command.js';

async function start(workers: number, ...args: readonly string[]) {
  const certs = await testCertificates();
  const gateway = await startServing(certs, ['--workers', String(workers), ...args]);
  const end = async () => {
    gateway.process.kill('SIGTERM');
    await gateway.ended;
  };
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const secureContext = createSecureContext({
    ...{ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
  });
  /** Each call on a connection of its own, so that they come to all processes. */
  const call = async (path: string, more: { headers?: Record<string, string>; body?: string } = {}) => {
    const agent = new Agent({ connect: { secureContext }, connections: 1 });
    const { body, headers } = more;
    const answer = await request(`${gateway.ready.api}/stdgroup/v1${path}`, {
      ...{ dispatcher: agent, method: body === undefined ? 'GET' : 'POST', body: body ?? null },
      headers: { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721', ...headers },
    });
    const text = await answer.body.text();
    await agent.close();
    return { status: answer.statusCode, text, report: answer.headers['sandgate-report']?.toString() };
  };
  const token = async (): Promise<string> => {
    const form = {
      ...{ grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID' },
      ...{ code: 'AIS_VALID_CODE', code_verifier: VERIFIER },
    };
    const given = await call('/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    return JSON.parse(given.text).access_token;
  };
  const read = (bearer: string) =>
    call('/accounts', { headers: { Authorization: `Bearer ${bearer}`, 'Consent-Id': 'VALID_CONSENT_ID' } });
  const admin = async (path: string) => (await request(gateway.ready.admin + path)).body.text();
  return { gateway, call, token, read, admin, end };
}

async function started(workers: number, ...args: readonly string[]) {
  const one = await start(workers, ...args);
  onTestFinished(one.end);
  return one;
}

const pidsBelow = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

describe.runIf(process.platform === 'linux')('several processes behind one listener', () => {
  // Four processes take four seconds of the processor to start; the last of these tests ends them.
  let shared: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    shared = await start(3);
  });
  afterAll(() => shared?.end());

  it('let exactly four accesses pass, and tell metrics of all of them', async () => {
    const { gateway, call, token, read, admin } = shared;
    const bearer = await token();
    const replies = await Promise.all(Array.from({ length: 24 }, () => read(bearer)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
    // Each of them leads to where operators are answered, which only the first one has opened.
    for (const { report } of replies) expect(report).toContain(`${gateway.ready.admin}/exchanges/`);
    const noted = await Promise.all(
      Array.from({ length: 12 }, () => call('/accounts', { headers: { 'Sandgate-Session': 'named' } })),
    );
    expect(noted.map(({ status }) => status)).toEqual(Array(12).fill(400));
    const store = createSqliteStore({ path: gateway.store, readonly: true });
    onTestFinished(store.close);
    const adminsOf = (session: string) =>
      gatewayNotes(store.sessions().find(({ name }) => name === session)?.notes ?? []).map(
        ({ settings }) => settings.urls?.admin,
      );
    // So do the notes of what each of them began, as far as it was known by then.
    expect(new Set(adminsOf('test'))).toEqual(new Set([gateway.ready.admin, undefined]));
    expect(new Set(adminsOf('named'))).toEqual(new Set([gateway.ready.admin]));
    const counted = [...(await admin('/metrics')).matchAll(/^sandgate_exchanges_total\{.*\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(37);
  });

  it('know the calls that one of them sends for the operator, whichever gets them', async () => {
    const { gateway, admin } = shared;
    for (let i = 0; i < 4; i++) {
      const made = await request(`${gateway.ready.admin}/api/journeys`, {
        ...{ method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } },
      });
      expect(made.statusCode).toBe(200);
      await made.body.dump();
    }
    const { exchanges } = JSON.parse(await admin('/api/exchanges?q=sender:sandgate'));
    expect(exchanges).toHaveLength(20);
  });

  it('go on without one that is killed, with what was on its way to it; it is started again where it was', async () => {
    const { gateway, token, read, admin } = shared;
    const bearer = await token();
    const before = pidsBelow(gateway.process.pid as number);
    expect(before).toHaveLength(3);
    // One of the calls is on its way to it: another one answers that, too.
    process.kill(before[0] as number, 'SIGSTOP');
    let answered = 0;
    const calls = Array.from({ length: 6 }, () => read(bearer).finally(() => answered++));
    await eventually(() => expect(answered).toBe(5));
    process.kill(before[0] as number, 'SIGKILL');
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([429]));
    await eventually(() => {
      const now = pidsBelow(gateway.process.pid as number);
      expect(now).toHaveLength(3);
      expect(now).not.toContain(before[0]);
    });
    await eventually(async () => expect((await read(bearer)).status).not.toBe(401));
    await eventually(async () => expect(await admin('/readyz')).toContain('"ready"'));
  });

  it('end together, and hold their store until then against others that would serve on it', async () => {
    const { gateway } = shared;
    const pids = pidsBelow(gateway.process.pid as number);
    const args = ['serve', '--store', gateway.store, '--certs', await testCertificates()];
    // At another time it would make all tests' certificates anew, which are not good then.
    const other = await sandgate(args, { clock: Date.now });
    expect(other.status).toBe(3);
    expect(other.err).toContain('Another gateway serves on the store');
    expect((await sandgate(['sessions', 'ls', '--store', gateway.store])).status).toBe(0);
    gateway.process.kill('SIGINT');
    expect((await gateway.ended).code).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('let exactly four pass on PostgreSQL too, which may be killed meanwhile, as one of them', async () => {
    const server = await runServer();
    onTestFinished(server.close);
    const { gateway, token, read } = await started(
      3,
      '--store',
      addressOf(server, 'workers'),
      '--store-key-file',
      'key',
    );
    const bearer = await token();
    const replies = await Promise.all(Array.from({ length: 24 }, () => read(bearer)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    const [, second] = pidsBelow(gateway.process.pid as number);
    process.kill(second as number, 'SIGKILL');
    await server.kill();
    await server.start();
    await eventually(() => expect(pidsBelow(gateway.process.pid as number)).toHaveLength(3));
    // The accesses of the day are used up, whoever is asked.
    await eventually(async () => {
      const again = await Promise.all(Array.from({ length: 6 }, () => read(bearer)));
      expect(again.map(({ status }) => status)).toEqual(Array(6).fill(429));
    });
  });

  it('leave no process and no lock behind where the one that started them is killed', async () => {
    const { gateway } = await started(2);
    const pids = pidsBelow(gateway.process.pid as number);
    gateway.process.kill('SIGKILL');
    await eventually(() => {
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
    const again = await startServing(await testCertificates(), [], gateway.folder);
    again.process.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
  });

  it('do not share what each would keep for itself', async () => {
    const memory = await sandgate(['serve', '--workers', '2', '--store', 'memory:']);
    expect(memory.err).toContain('cannot share a store in memory');
    const replay = await sandgate(['serve', '--workers', '2', '--source', 'replay', '--replay', 'x']);
    expect(replay.err).toContain('a replay needs a single process');
  });
});
