/** Faults that operators set: what a client sees of each, what the bank has done, and what is recorded. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply, TestGateway } from './harness.js';
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
