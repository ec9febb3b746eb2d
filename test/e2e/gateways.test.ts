/** Three gateways, each a process of its own, on one PostgreSQL and behind a load balancer: together they are one. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type RecordedExchange } from '../../src/store/index.js';
import { aSchema } from '../postgres/schemas.js';
import { openTcpBalancer, type TcpBalancer } from '../tcp-balancer.js';
import { startServing, temporaryFolder } from './child.js';
import { REQUEST_ID, testCertificates, VERIFIER } from './harness.js';

type Gateway = Awaited<ReturnType<typeof startServing>>;

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const certs = await testCertificates();
const file = (name: string) => readFileSync(join(certs, name), 'utf8');
const own = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
const agent = new Agent({ connect: { ...own, servername: 'localhost' }, connections: 60 });

const store = aSchema();
let balancer: TcpBalancer;
const gateways: Gateway[] = [];

beforeAll(async () => {
  const more = ['--store', store, '--store-key-file', 'key', '--proxy-protocol-from', '127.0.0.1'];
  // At once: each may be the one that makes schema and key.
  const folder = temporaryFolder();
  gateways.push(...(await Promise.all([0, 1, 2].map(() => startServing(certs, more, folder)))));
  let clients = 0;
  balancer = await openTcpBalancer({
    targets: () => gateways.map(({ ready }) => Number(new URL(ready.api).port)),
    header: () => `PROXY TCP4 192.0.2.${++clients % 250} 192.0.2.250 50000 443\r\n`,
  });
});
afterAll(async () => {
  await agent.close();
  await balancer.close();
  for (const { process } of gateways) process.kill('SIGTERM');
  await Promise.all(gateways.map(({ ended }) => ended));
  rmSync(gateways[0]?.folder ?? '', { recursive: true, force: true });
});

/** On a connection of its own. */
async function call(path: string, headers: Record<string, string> = {}, form?: Record<string, string>) {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const reply = await request(`https://127.0.0.1:${balancer.port}${path}`, {
    ...{ dispatcher: agent, reset: true, method: form === undefined ? 'GET' : 'POST' },
    headers: { 'X-Request-ID': REQUEST_ID, ...(form === undefined ? {} : type), ...headers },
    body: form === undefined ? null : new URLSearchParams(form).toString(),
  });
  const text = await reply.body.text();
  return { status: reply.statusCode, text, exchange: String(reply.headers['sandgate-exchange']) };
}

async function records(): Promise<RecordedExchange[]> {
  const opened = await openStore(store, { readonly: true });
  const all: RecordedExchange[] = [];
  for await (const record of opened.read('test')) all.push(record);
  await opened.close();
  return all;
}

describe('three gateways on one store', () => {
  it('let four accesses without the PSU pass on a day, however many meet at once on all of them', async () => {
    const form = {
      ...{ grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID' },
      ...{ code: 'AIS_VALID_CODE', code_verifier: VERIFIER },
    };
    const { access_token: token } = JSON.parse((await call('/stdgroup/v1/token', {}, form)).text);
    const headers = { Authorization: `Bearer ${token}`, 'Consent-Id': 'VALID_CONSENT_ID' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => call('/stdgroup/v1/accounts', headers)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(26);
    const addresses = new Set((await records()).map(({ exchange }) => exchange.call.connection.address));
    expect(addresses.size).toBe(31);
    expect([...addresses].every((address) => address.startsWith('192.0.2.'))).toBe(true);
  });

  it('have recorded once what a client saw answered, although one of them is killed', async () => {
    const seen: string[] = [];
    const [victim] = gateways as [Gateway];
    const callUntilKilled = async () => {
      for (let i = 0; i < 10; i++) {
        if (seen.length >= 15) victim.process.kill('SIGKILL');
        const answer = await call(CONSENT).catch(() => null);
        if (answer !== null) seen.push(answer.exchange);
      }
    };
    await Promise.all(Array.from({ length: 10 }, callUntilKilled));
    await victim.ended;
    expect(seen.length).toBeGreaterThan(60);
    expect((await call(CONSENT)).status).toBe(200);
    const ids = (await records()).map(({ exchange }) => exchange.call.id);
    expect(seen.filter((id) => ids.filter((one) => one === id).length !== 1)).toEqual([]);
  });
});
