/** Faults that operators set: what a client sees of each, what the bank has done, and what is recorded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './child.js';
import { type Reply, started, startTestGateway, type TestGateway } from './harness.js';
import { type LivingTpp, startLivingBank } from './living.js';

let tpp: LivingTpp;
let gateway: TestGateway;
beforeAll(async () => {
  tpp = await startLivingBank();
  gateway = tpp.gateway;
  return gateway.close;
});

const BALANCES = 'operation:accounts.list';

/** Sets one fault, and none other. */
async function set(row: object): Promise<void> {
  await gateway.app.faults.clear();
  await gateway.app.faults.add({ id: 'f', ...row });
}

/** What a call came to: its status, or the code of the error of the client. */
const outcomeOf = (call: Promise<Reply>): Promise<number | string> =>
  call.then(
    ({ status }) => status,
    (error) => error.code,
  );

async function newest() {
  const records = await gateway.records();
  return records.at(-1)?.exchange;
}

describe('a fault', () => {
  it.each([
    [{ kind: 'status', status: 429, retryAfter: 30 }, 429],
    [{ kind: 'status', status: 503, form: 'html' }, 503],
    [{ kind: 'maintenance' }, 503],
    [{ kind: 'cut' }, 'UND_ERR_SOCKET'],
    [{ kind: 'cut', at: 'body' }, 'UND_ERR_SOCKET'],
    [{ kind: 'cut', at: 'after' }, 200],
    [{ kind: 'reset' }, 'ECONNRESET'],
    [{ kind: 'done/lost' }, 'UND_ERR_SOCKET'],
    [{ kind: 'status-after' }, 504],
    [{ kind: 'delay', ms: 20, jitter: 5 }, 200],
    [{ kind: 'slow-body', bytes: 1_000_000 }, 200],
    [{ kind: 'by-ip' }, 429],
    [{ kind: 'html' }, 200],
  ] as const)('%j is seen as %s', async (fault, seen) => {
    const { id, token } = await tpp.linked();
    await set({ where: BALANCES, do: fault });
    expect(await outcomeOf(tpp.ask('GET /accounts', { consent: id, token }))).toBe(seen);
    const exchange = await newest();
    expect(exchange?.injected).toMatchObject({ fault: 'f' });
    expect(exchange?.answer?.status ?? null).toBe(typeof seen === 'number' ? seen : null);
    await gateway.app.faults.clear();
    expect(await outcomeOf(tpp.ask('GET /accounts', { consent: id, token }))).toBe(200);
  });
});

describe('faults', () => {
  const list = async (): Promise<number | string> => {
    const { id, token } = await tpp.linked();
    return outcomeOf(tpp.ask('GET /accounts', { consent: id, token }));
  };
  const hit = (row: object = {}) => ({ where: BALANCES, do: { kind: 'status', status: 500 }, ...row });

  it('let some calls pass first, and meet so many', async () => {
    await set(hit({ after: 1, count: 2 }));
    const seen = [];
    for (let i = 0; i < 5; i++) seen.push(await list());
    expect(seen).toEqual([200, 500, 500, 200, 200]);
    expect(gateway.app.faults.list()).toMatchObject([{ id: 'f', times: 2 }]);
  });

  it('meet exactly so many of calls that come at once', async () => {
    const { id, token } = await tpp.linked();
    await set(hit({ count: 5 }));
    const calls = Array.from({ length: 12 }, () => tpp.ask('GET /accounts', { consent: id, token }));
    const seen = await Promise.all(calls.map(outcomeOf));
    expect(seen.filter((one) => one === 500)).toHaveLength(5);
  });

  it('meet calls only at their time by the clock of the gateway', async () => {
    const at = (hours: number) => new Date(gateway.app.clock.now() + hours * 3_600_000).toISOString();
    await set(hit({ during: [at(1), at(2)] }));
    expect(await list()).toBe(200);
    gateway.app.clock.change({ advance: 5_400_000 });
    expect(await list()).toBe(500);
    gateway.app.clock.change({ advance: 3_600_000 });
    expect(await list()).toBe(200);
  });

  it('are tried in their order: the first that fits wins', async () => {
    await set(hit({ do: { kind: 'status', status: 502 } }));
    await gateway.app.faults.add({ id: 'second', do: { kind: 'status', status: 503 } });
    const { id, token } = await (async () => {
      await gateway.app.faults.clear();
      return tpp.linked();
    })();
    await set(hit({ do: { kind: 'status', status: 502 } }));
    await gateway.app.faults.add({
      id: 'second',
      where: 'operation:accounts.*',
      do: { kind: 'status', status: 503 },
    });
    expect(await outcomeOf(tpp.ask('GET /accounts', { consent: id, token }))).toBe(502);
    await gateway.app.faults.remove('f');
    expect(await outcomeOf(tpp.ask('GET /accounts', { consent: id, token }))).toBe(503);
  });

  it('come out of a file at the start, are in the note of the session, and those that met nothing are named at the end', async () => {
    const file = join(temporaryFolder(), 'faults.json');
    writeFileSync(file, JSON.stringify([{ id: 'never', where: 'path:/nowhere', do: { kind: 'hang' } }]));
    const other = await startTestGateway({ faults: file, logLevel: 'warn' });
    expect((await other.call('/api/faults', { side: 'admin' })).json).toMatchObject([
      { id: 'never', times: 0 },
    ]);
    const [{ notes } = { notes: [] }] = await other.app.store.sessions();
    expect(notes[0]?.settings).toMatchObject({ faults: [{ id: 'never' }] });
    await other.close();
    expect(other.logged()).toContainEqual(expect.objectContaining({ faults: ['never'] }));
  });

  it('that need a bank of ours are refused where another one answers', async () => {
    const sandbox = await started();
    await expect(
      Promise.resolve().then(() => sandbox.app.faults.add({ id: 'a', do: { kind: 'expires-early' } })),
    ).rejects.toThrow(/^The fault a \(token\/expires-early\) needs the living bank/);
  });

  it('that need a bank of ours keep it from being switched away', async () => {
    await gateway.app.faults.clear();
    await gateway.app.faults.add({ id: 'early', do: { kind: 'expires-early' } });
    const change = (wanted: object) => Promise.resolve().then(() => gateway.app.switches.change(wanted));
    await expect(change({ bank: 'sandbox' })).rejects.toThrow(/^The fault early/);
    await expect(change({ stance: 'observe' })).resolves.toMatchObject({ bank: 'living' });
    await change({ stance: 'enforce' });
    await gateway.app.faults.clear();
    await expect(change({ bank: 'sandbox' })).resolves.toMatchObject({ bank: 'sandbox' });
    await change({ bank: 'living' });
  });

  it.each([
    ['cannot be read', null, /faults\.json/],
    ['is no JSON', '[', /faults\.json/],
    ['names a kind that needs a bank of ours', '[{"id":"a","do":{"kind":"refresh-once"}}]', /^The fault a/],
  ])('of a file that %s keep the gateway from starting', async (_, text, message) => {
    const file = join(temporaryFolder(), 'faults.json');
    if (text !== null) writeFileSync(file, text);
    await expect(startTestGateway({ faults: file, bank: 'sandbox' })).rejects.toThrow(message);
  });

  it('are listed, added and removed by the admin API', async () => {
    await gateway.app.faults.clear();
    const api = (method: string, path = '', json?: unknown) =>
      gateway.call(`/api/faults${path}`, {
        side: 'admin',
        method,
        json: json ?? (method === 'GET' ? undefined : {}),
      });
    const row = { id: 'lost', where: 'operation:payments.create', do: { kind: 'done/lost' } };
    expect((await api('POST', '', row)).json).toMatchObject([{ ...row, times: 0 }]);
    expect((await api('POST', '', row)).status).toBe(409);
    expect((await api('POST', '', { id: 'x', do: { kind: 'nothing' } })).status).toBe(400);
    expect((await api('DELETE', '/other')).status).toBe(404);
    expect((await api('DELETE', '/lost')).json).toEqual([]);
    expect((await api('GET', '/kinds')).json.length).toBeGreaterThan(30);
  });
});

describe('the share of calls that a fault meets', () => {
  it('is the same for the same seed, whenever the fault is set', async () => {
    const met = async (): Promise<(number | string)[]> => {
      const { id, token } = await tpp.linked();
      await set({ where: BALANCES, share: 0.5, do: { kind: 'status', status: 500 } });
      const seen: (number | string)[] = [];
      for (let call = 0; call < 12; call++)
        seen.push(await outcomeOf(tpp.ask('GET /accounts', { consent: id, token })));
      return seen;
    };
    const first = await met();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await met()).toEqual(first);
    await gateway.app.faults.clear();
  });
});

describe('a late return', () => {
  it('brings a code that has ended', async () => {
    await set({ where: 'operation:oauth.authorize', do: { kind: 'return/late' } });
    const code = (await tpp.authorise(await tpp.create())).searchParams.get('code') ?? '';
    await gateway.app.faults.clear();
    const { status, json } = await tpp.exchange({ code });
    expect([status, json.error]).toEqual([400, 'invalid_grant']);
  });
});
