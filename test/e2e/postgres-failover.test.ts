/** Gateways whose PostgreSQL fails over to a replica that lacks the last commits: they go on from what it has. */
import { expect, it, onTestFinished } from 'vitest';
import { startReplicated } from '../postgres/replica.js';
import { addressOf } from '../postgres/run-server.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { eventually, startTestGateway, type TestGateway } from './harness.js';

const ACCOUNTS = '/stdgroup/v1/accounts';

/** Each without PSU: four a day are allowed. */
const read = async (gateway: TestGateway, token: string, cert = 'tpp'): Promise<number> => {
  const headers = gateway.accountHeaders(token, { 'PSU-IP-Address': undefined });
  return (await gateway.call(ACCOUNTS, { headers, cert })).status;
};
const readiness = async ({ call }: TestGateway) => (await call('/readyz', { side: 'admin' })).status;

it('gateways forget together what a failover lost, answer and say that they are ready, and count on from there', async () => {
  const server = await startReplicated();
  const settings = { store: addressOf(server, 's'), storeKeyFile: aPath('store.key') };
  const [one, other] = [await startTestGateway(settings, 0), await startTestGateway(settings, 1)];
  onTestFinished(async () => {
    for (const { app } of [one, other]) await app.close();
  });
  const token = await one.token();
  expect([await read(one, token), await read(other, token)]).toEqual([200, 200]);
  await server.followed();
  await server.partReplica();
  const lostToken = await one.token('AIS_VALID_CODE', 'tpp-other');
  expect(await read(one, token)).toBe(200);
  expect(await read(other, token)).toBe(200);
  expect(await read(other, token)).toBe(429);
  await server.failOver();
  for (const gateway of [one, other])
    await eventually(async () => expect(await readiness(gateway)).toBe(200));
  await eventually(async () => expect(await read(other, token)).toBe(200));
  expect(await read(one, token)).toBe(200);
  expect([await read(one, token), await read(other, token)]).toEqual([429, 429]);
  for (const gateway of [one, other]) expect(await read(gateway, lostToken, 'tpp-other')).toBe(401);
  for (const gateway of [one, other]) expect(await readiness(gateway)).toBe(200);
  const breaks = await all(one.app.store.chains.verify('test'));
  expect(new Set(breaks.map(({ kind }) => kind))).toEqual(new Set(['missing', 'disturbed']));
});
