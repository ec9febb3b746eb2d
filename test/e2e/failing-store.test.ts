/** A store that fails under a gateway: nothing counts, and nothing moves, that is not recorded. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SandgateError } from '../../src/spec/index.js';
import type { Batch } from '../../src/store/index.js';
import { folderOfTest } from '../folder.js';
import { all } from '../rows.js';
import { openBankBehind } from './bank-behind.js';
import { eventually, type Reply, startTestGateway, type TestGateway } from './harness.js';

const ACCOUNTS = '/stdgroup/v1/accounts';
const STATUS = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';
const PAYMENTS = '/stdgroup/v1/payments/sepa-credit-transfers';

/** The store refuses to be written to, as on a full disk, until it is mended. */
function breakStore({ app }: TestGateway, refuses: (batch: Batch) => boolean = () => true): () => void {
  const full = () => new SandgateError('store.unusable', { path: 'a.db', why: 'the disk is full' });
  const {
    append,
    place: { check },
  } = app.store;
  const broken = [
    vi.spyOn(app.store, 'append').mockImplementation((batch) => {
      if (refuses(batch)) throw full();
      return append(batch);
    }),
    vi.spyOn(app.store.place, 'check').mockImplementation((written) => {
      if (written) throw full();
      return check(written);
    }),
  ];
  return () => {
    for (const one of broken) one.mockRestore();
  };
}

async function aGateway(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(settings);
  onTestFinished(gateway.app.close);
  return gateway;
}

function aStorePath(): string {
  return join(folderOfTest(), 'store', 'gateway.db');
}

async function aBank() {
  const bank = await openBankBehind((_request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end('{"paymentId":"P1","transactionStatus":"RCVD"}');
  });
  onTestFinished(bank.close);
  return bank;
}

const pay = ({ call }: TestGateway) => call(PAYMENTS, { json: { creditorName: 'Jane Doe' } });
const ask = ({ call }: TestGateway) => call(STATUS);
/** Of any account, as a bank has it; without the PSU the daily limit counts it. */
const fetchAlone = ({ call, accountHeaders }: TestGateway) =>
  call(ACCOUNTS, { headers: accountHeaders('a-token-of-the-bank', { 'PSU-IP-Address': undefined }) });

function expectNotDone(reply: Reply): void {
  expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
  expect(reply.headers).toMatchObject({ 'retry-after': '5', 'sandgate-source': 'gateway' });
  expect(reply.headers).not.toHaveProperty('sandgate-exchange');
}

/** Comes back by itself. */
const eventuallyAnswers = (gateway: TestGateway, status = 200) =>
  eventually(async () => expect((await gateway.call(STATUS)).status).toBe(status));

describe('what is learned of a call', () => {
  it('counts when the call is recorded, and not before: calls that were not use up no daily limit', async () => {
    const gateway = await aGateway();
    const token = await gateway.token();
    const read = () =>
      gateway.call(ACCOUNTS, { headers: gateway.accountHeaders(token, { 'PSU-IP-Address': undefined }) });
    const mend = breakStore(gateway);
    for (const reply of await Promise.all([read(), read(), read()])) expectNotDone(reply);
    for (const reply of await Promise.all([read(), read(), read()])) expectNotDone(reply);
    mend();
    await eventuallyAnswers(gateway);
    for (let i = 0; i < 4; i++) expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
  });
});

it('Calls that could not be recorded are noted in their session, chained, once the store works again', async () => {
  const gateway = await aGateway();
  let lost = 0;
  const call = async (): Promise<number> => {
    const { status } = await ask(gateway);
    if (status === 503) lost++;
    return status;
  };
  const mend = breakStore(gateway);
  for (let i = 0; i < 3; i++) await call();
  mend();
  await eventually(async () => expect(await call()).toBe(200));
  expect(lost).toBeGreaterThanOrEqual(3);
  const { store } = gateway.app;
  await eventually(async () => {
    const [session] = await store.sessions();
    const noted = session?.notes.filter(({ kind }) => kind === 'unrecorded') ?? [];
    expect(noted).toMatchObject([{ settings: { calls: lost, from: expect.any(String) } }]);
    expect(await all(store.chains.verify(session?.name ?? ''))).toEqual([]);
  });
  const { text } = await gateway.call('/api/alerts', { side: 'admin' });
  expect(text).toContain(`${lost} calls between `);
});

describe('a store that acknowledges later', () => {
  /** Nothing that is given to the store is kept before it is let through. */
  function slow({ app }: TestGateway) {
    const { append } = app.store;
    const held: { readonly keep: () => void; readonly fail: () => void }[] = [];
    const late = (batch: Batch) =>
      new Promise<void>((resolve, reject) => {
        const keep = () => resolve(append(batch));
        held.push({
          keep,
          fail: () =>
            reject(new SandgateError('store.unusable', { path: 'a.db', why: 'the server is gone' })),
        });
      });
    const spy = vi.spyOn(app.store, 'append').mockImplementation(late as unknown as () => void);
    const next = () => eventually(() => expect(held).toHaveLength(1)).then(() => held.shift());
    return { held, next, mend: () => spy.mockRestore() };
  }

  it.each([
    ['payment', pay],
    ['read', ask],
  ])('never lets an answer leave early, nor a %s reach the bank', async (_name, call) => {
    const { gateway, seen } = await aBank();
    const store = slow(gateway);
    let reply: Reply | null = null;
    const calling = call(gateway).then((given) => {
      reply = given;
    });
    const beginning = await store.next();
    // As many round trips as you like.
    for (let i = 0; i < 3; i++) await gateway.call('/healthz', { side: 'admin' });
    expect([seen, reply]).toEqual([[], null]);
    beginning?.keep();
    const end = await store.next();
    for (let i = 0; i < 3; i++) await gateway.call('/healthz', { side: 'admin' });
    expect([seen.length, reply, (await all(gateway.app.store.read('test'))).length]).toEqual([1, null, 0]);
    end?.keep();
    await calling;
    expect(reply).toMatchObject({ status: 201 });
    store.mend();
    expect(await gateway.records()).toHaveLength(1);
  });

  it('counts what was learned once it is kept: a batch that is lost takes with it what was judged meanwhile', async () => {
    const gateway = await aGateway();
    const token = await gateway.token();
    const read = () =>
      gateway.call(ACCOUNTS, { headers: gateway.accountHeaders(token, { 'PSU-IP-Address': undefined }) });
    const store = slow(gateway);
    const early = [read(), read()];
    const batch = await store.next();
    // In memory while the first batch is under way: they see its accesses.
    const later = [read(), read(), read()];
    await eventually(() => expect(gateway.app.recorder.waiting()).toBe(5));
    batch?.fail();
    for (const reply of await Promise.all([...early, ...later])) expectNotDone(reply);
    expect(store.held).toEqual([]);
    store.mend();
    await eventuallyAnswers(gateway);
    const statuses = (await Promise.all(Array.from({ length: 6 }, read))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429]);
  });
});

describe('while the store fails', () => {
  it('nothing reaches the bank, and the client is told in the format of the interface to come again', async () => {
    const { gateway, seen } = await aBank();
    const mend = breakStore(gateway);
    for (const call of [ask, pay, fetchAlone, ask]) expectNotDone(await call(gateway));
    const token = await gateway.call('/stdgroup/v1/token', { form: { grant_type: 'refresh_token' } });
    expect([token.status, token.json.error, token.headers['retry-after']]).toEqual([
      503,
      'server_error',
      '5',
    ]);
    expect(seen).toEqual([]);
    mend();
    await eventuallyAnswers(gateway, 201);
    expect((await pay(gateway)).status).toBe(201);
    const recorded = (await gateway.records()).length;
    expect(recorded).toBe(seen.length);
  });

  it('a payment whose answer cannot be recorded ends in a 500 that says the bank may have acted, and stays on record as begun', async () => {
    const { gateway, seen } = await aBank();
    const mend = breakStore(gateway, ({ records }) => records.length > 0);
    const reply = await pay(gateway);
    expect([reply.status, reply.codes, seen.length]).toEqual([500, ['INTERNAL_SERVER_ERROR'], 1]);
    expect(reply.text).toMatch(/The bank may have acted on this call with X-Request-ID 99391c7e-/);
    expect(reply.text).not.toContain('RCVD');
    mend();
    const [begun, ...more] = await gateway.app.store.calls.unfinished('test');
    expect(more).toEqual([]);
    expect(begun?.exchange).toMatchObject({
      answer: null,
      fault: { kind: 'unfinished' },
      call: { id: reply.headers['sandgate-exchange'], operation: 'payments.create' },
    });
    expect(begun?.exchange.call.request.body?.text).toContain('Jane Doe');
    const id = begun?.exchange.call.id;
    const shown = async (path: string) => (await gateway.call(path, { side: 'admin' })).json;
    for (const q of ['', '?q=fault:unfinished', '?q=request-id:99391c7e-ad88-49ec-a2ad-99ddcb1f7721'])
      expect((await shown(`/api/exchanges${q}`)).exchanges, q).toMatchObject([{ id, fault: 'unfinished' }]);
    expect(await shown(`/api/exchanges/${id}`)).toMatchObject({ id, previous: null, next: null });
    const [alert] = await shown('/api/alerts');
    expect(alert).toMatchObject({ kind: 'unfinished', exchange: id });
    expect(alert.remedy).toContain('X-Request-ID 99391c7e-');
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
  });

  it('a read whose answer cannot be recorded ends in the same, and is on no record', async () => {
    const { gateway, seen } = await aBank();
    const mend = breakStore(gateway, ({ records }) => records.length > 0);
    const reply = await ask(gateway);
    expect([reply.status, reply.codes, seen.length]).toEqual([500, ['INTERNAL_SERVER_ERROR'], 1]);
    expect(reply.headers).not.toHaveProperty('sandgate-exchange');
    mend();
    expect(await gateway.app.store.calls.unfinished('test')).toEqual([]);
    expect(await gateway.records()).toEqual([]);
  });

  it('/readyz tells the present, and /healthz lives', async () => {
    const gateway = await aGateway();
    const state = async () => {
      const [ready, health] = await Promise.all(
        ['/readyz', '/healthz'].map((path) => gateway.call(path, { side: 'admin' })),
      );
      return [ready?.status, health?.status];
    };
    const mend = breakStore(gateway);
    expect(await state()).toEqual([503, 200]);
    const { json } = await gateway.call('/readyz', { side: 'admin' });
    expect(json.checks[0]).toMatchObject({
      name: 'store',
      ok: false,
      problem: expect.stringMatching(/the disk is full/),
    });
    mend();
    expect(await state()).toEqual([200, 200]);
  });
});

describe('a write lock that another process holds', () => {
  it('is waited for while health goes on being told, then calls are answered 503 until it is gone', async () => {
    const store = aStorePath();
    const gateway = await aGateway({ store });
    const other = new Sqlite(store);
    other.exec('BEGIN IMMEDIATE');
    const order: string[] = [];
    const call = gateway.call(STATUS).then((reply) => {
      order.push(`call ${reply.status}`);
      return reply;
    });
    for (let i = 0; i < 5; i++) {
      const { status } = await gateway.call('/healthz', { side: 'admin' });
      order.push(`health ${status}`);
    }
    expectNotDone(await call);
    expect(order).toEqual([...Array(5).fill('health 200'), 'call 503']);
    expectNotDone(await gateway.call(STATUS));
    other.exec('ROLLBACK');
    other.close();
    await eventuallyAnswers(gateway);
  });

  it('keeps reads from the bank', async () => {
    const store = aStorePath();
    const { gateway, seen, close } = await openBankBehind((_request, response) => response.end('{}'), {
      store,
    });
    onTestFinished(close);
    const other = new Sqlite(store);
    other.exec('BEGIN IMMEDIATE');
    expectNotDone(await ask(gateway));
    other.exec('ROLLBACK');
    other.close();
    expect(seen).toEqual([]);
    await eventuallyAnswers(gateway);
  });

  it('that is gone in time is not noticed', async () => {
    const store = aStorePath();
    const gateway = await aGateway({ store });
    const other = new Sqlite(store);
    other.exec('BEGIN IMMEDIATE');
    const call = gateway.call(STATUS);
    await gateway.call('/healthz', { side: 'admin' });
    other.exec('ROLLBACK');
    other.close();
    expect((await call).status).toBe(200);
  });
});

describe('the files of a store', () => {
  it.each([
    ['the file is deleted', (store: string) => rmSync(store)],
    ['its folder is deleted', (store: string) => rmSync(join(store, '..'), { recursive: true })],
    ['its log is deleted', (store: string) => rmSync(`${store}-wal`)],
    [
      'another file takes its place',
      (store: string) => {
        writeFileSync(`${store}.new`, '');
        renameSync(`${store}.new`, store);
      },
    ],
  ])(
    'are looked after: where %s, calls are soon no longer answered as if they were recorded',
    async (_name, harm) => {
      const store = aStorePath();
      const gateway = await aGateway({ store });
      expect((await gateway.call(STATUS)).status).toBe(200);
      harm(store);
      await eventually(async () => expectNotDone(await gateway.call(STATUS)));
      const { json } = await gateway.call('/readyz', { side: 'admin' });
      expect(json.checks[0].problem).toMatch(
        /gateway\.db\S* was (deleted or moved|replaced) while it was in use/,
      );
    },
  );

  it('count again once the file is back', async () => {
    const store = aStorePath();
    const gateway = await aGateway({ store });
    renameSync(store, `${store}.away`);
    await eventually(async () => expectNotDone(await gateway.call(STATUS)));
    renameSync(`${store}.away`, store);
    await eventuallyAnswers(gateway);
  });

  it('keep the bank from being asked where they are gone', async () => {
    const store = aStorePath();
    const bank = await openBankBehind((_request, response) => response.end('{}'), { store });
    onTestFinished(bank.close);
    await pay(bank.gateway);
    rmSync(store);
    for (const call of [pay, ask]) expectNotDone(await call(bank.gateway));
    expect(bank.seen).toHaveLength(1);
  });
});

describe('what stays of a call to the bank', () => {
  it.each([
    ['one entry of the chain for a read that the PSU is there for', ask, 1],
    ['two for a payment', pay, 2],
    ['two for a read that the daily limit counts', fetchAlone, 2],
  ])('is %s', async (_name, call, entries) => {
    const { gateway } = await aBank();
    const entriesNow = async () => (await gateway.app.store.chains.of('test'))[0]?.entries ?? 0;
    const before = await entriesNow();
    expect((await call(gateway)).status).toBe(201);
    expect((await entriesNow()) - before).toBe(entries);
    expect(await all(gateway.app.store.chains.verify('test'))).toEqual([]);
  });
});
