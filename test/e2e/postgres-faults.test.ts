/** Gateways before a bank whose PostgreSQL is in a bad way: no record, no forwarding, and it comes back by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { idOfNumber } from '../../src/exchange/index.js';
import { readAddress } from '../../src/store/postgres/address.js';
import { connect } from '../../src/store/postgres/client.js';
import { prepareSchema, VERSION } from '../../src/store/postgres/migrations.js';
import { startProxy } from '../postgres/proxy.js';
import { addressOf, type RunningServer, runServer } from '../postgres/run-server.js';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { openBankBehind } from './bank-behind.js';
import { eventually, type Reply, startTestGateway, type TestGateway } from './harness.js';
import { livingTpp } from './living.js';

const PAYMENTS = '/stdgroup/v1/payments/sepa-credit-transfers';

/** Its bank takes every payment; `seen` are those that reached it. */
async function behindGateway(store: string, settings: Record<string, unknown> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-faults-'));
  const bank = await openBankBehind(
    (_request, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.end('{"paymentId":"P1","transactionStatus":"RCVD"}');
    },
    { store, storeKeyFile: join(folder, 'store.key'), ...settings },
  );
  onTestFinished(async () => {
    await bank.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return bank;
}

const pay = ({ call }: TestGateway) => call(PAYMENTS, { json: { creditorName: 'Jane Doe' } });

function expectNotDone(reply: Reply): void {
  expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
  expect(reply.headers).toMatchObject({ 'retry-after': '5', 'sandgate-source': 'gateway' });
  expect(reply.headers).not.toHaveProperty('sandgate-exchange');
}

const readiness = ({ call }: TestGateway) => call('/readyz', { side: 'admin' });

async function clientOf({ port, password }: Pick<RunningServer, 'port' | 'password'>): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'sandgate', password, database: 'postgres' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Until nothing more fits. */
async function fillUp(client: pg.Client): Promise<void> {
  await client.query('CREATE TABLE ballast (filling text)');
  for (let rows = 4_096; rows >= 1; )
    try {
      await client.query("INSERT INTO ballast SELECT repeat('x', 1000) FROM generate_series(1, $1)", [rows]);
    } catch (error) {
      expect(error).toMatchObject({ code: '53100' });
      rows /= 2;
    }
}

describe.runIf(process.platform === 'linux')('a server whose disk is full', () => {
  it('has calls answered 503 and none forwarded, is not ready until there is room, and then goes on with nothing lost', async () => {
    const server = await runServer({ disk: '96m', flags: { autovacuum: 'off' } });
    onTestFinished(server.close);
    const client = await clientOf(server);
    const { gateway, seen } = await behindGateway(addressOf(server, 'full'));
    const taken: (string | undefined)[] = [];
    const payTaken = async () => {
      const { status, headers } = await pay(gateway);
      if (status === 201) taken.push(headers['sandgate-exchange']);
      return status;
    };
    // What calls share is written by then: a try of a batch without calls needs no room.
    for (let i = 0; i < 5; i++) expect(await payTaken()).toBe(201);
    await fillUp(client);
    // In pages that have room still, some calls find a place.
    await eventually(async () => expect(await payTaken()).toBe(503));
    const before = seen.length;
    for (let i = 0; i < 5; i++) {
      const { status, json } = await readiness(gateway);
      expect(status).toBe(503);
      expect(JSON.stringify(json)).toContain('the disk of the server is full (53100)');
      expectNotDone(await pay(gateway));
    }
    expect(seen).toHaveLength(before);
    await client.query('DROP TABLE ballast');
    await eventually(async () => expect((await readiness(gateway)).status).toBe(200));
    expect(await payTaken()).toBe(201);
    const ended = (await all(gateway.app.store.read('test'))).filter(
      ({ exchange }) => exchange.answer !== null,
    );
    expect(ended.map(({ exchange }) => exchange.call.id)).toEqual(taken);
    // One at most was forwarded and found no room for its end: its beginning says so.
    const unfinished = await gateway.app.store.calls.unfinished('test');
    expect(taken.length + unfinished.length).toBe(seen.length);
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
    const leftBehind = "SELECT FROM pg_class WHERE relname LIKE 'room%'";
    expect((await client.query(leftBehind)).rowCount).toBe(0);
  });
});

it('a page of the PSU that another gateway began is answered 503 while the way to the server is silent', async () => {
  const server = inject('postgres');
  const [direct, storeKeyFile] = [aSchema(), aPath('store.key')];
  const schema = new URL(direct).searchParams.get('schema') ?? '';
  const proxy = await startProxy(server.port);
  const settings = { bank: 'living', storeKeyFile, 'storeLimits.statement': '2s' };
  const one = await startTestGateway({ ...settings, store: direct }, 0);
  const other = await startTestGateway(
    {
      ...settings,
      store: addressOf({ ...server, port: proxy.port }, schema),
      'storeLimits.connect': '300ms',
    },
    1,
  );
  for (const { app } of [one, other]) onTestFinished(app.close);
  const { authorisation } = await livingTpp(one).create();
  const page = () =>
    other.call(`/stdgroup/authorization/authorize/${authorisation}?response_type=code`, { side: 'psu' });
  proxy.set('silent');
  const { status, headers } = await page();
  expect([status, headers['retry-after'], headers['sandgate-exchange']]).toEqual([503, '5', undefined]);
  proxy.set('through');
  await eventually(async () => expect((await page()).status).not.toBe(503));
});

/** As the first start of a newer version brings a schema up to date, which counts what it finds. */
async function bringUpToDate(address: string): Promise<void> {
  const options = {
    address: readAddress(address),
    limits: { connect: 5_000, statement: 10_000 },
    readonly: false,
  };
  const connection = await connect(options);
  const newer = 'ALTER TABLE chains ADD COLUMN later text; CREATE TABLE found AS SELECT id FROM exchanges';
  await prepareSchema(connection, options.address, false, [newer]);
  await connection.end();
}

describe('a schema that a newer version brings up to date while gateways run', () => {
  it('is written no more by them, who say so and answer 503, and nothing that was answered is lost', async () => {
    const store = aSchema();
    const { gateway, seen } = await behindGateway(store);
    const taken: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, headers } = await pay(gateway);
        if (status === 201) taken.push(headers['sandgate-exchange'] ?? '');
        else await new Promise(setImmediate);
      }
    });
    try {
      await eventually(() => expect(taken.length).toBeGreaterThan(50));
      await bringUpToDate(store);
      await eventually(async () => expect((await readiness(gateway)).status).toBe(503));
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    const before = seen.length;
    expectNotDone(await pay(gateway));
    const { status, text } = await readiness(gateway);
    expect(status).toBe(503);
    expect(text).toContain(`is of a newer version of Sandgate (store version ${VERSION + 1}`);
    expect(seen).toHaveLength(before);
    const client = await clientOf(inject('postgres'));
    const schema = new URL(store).searchParams.get('schema');
    const { rows } = await client.query(
      `SELECT id, (SELECT count(*)::int4 FROM "${schema}".found) AS found FROM "${schema}".exchanges`,
    );
    expect(rows[0].found).toBe(rows.length);
    const ids = rows.map(({ id }) => idOfNumber(Number(id)));
    expect(taken.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const work of [gateway.app.store.remove('test'), gateway.app.store.worlds.tidy()])
      await expect(all(work)).rejects.toMatchObject({ code: 'store.newer' });
  });
});
