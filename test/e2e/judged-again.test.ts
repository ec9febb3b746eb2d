/** A reset of the living bank, and going back to a snapshot of it, are judged from store and files as they were live. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { aPath } from '../store/stores.js';
import { openBankBehind } from './bank-behind.js';
import { DAY_MS, eventually, startTestGateway, type TestGateway } from './harness.js';
import {
  exported,
  imported,
  judgedFromFile,
  judgedFromStore,
  judgedInAllWays,
  judgedLive,
  mostReads,
} from './judged-again.js';
import { type Linked, livingTpp } from './living.js';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function started(settings: Record<string, unknown> = {}, slot?: number): Promise<TestGateway> {
  const gateway = await startTestGateway({ bank: 'living', stance: 'observe', ...settings }, slot);
  open.push(gateway);
  return gateway;
}

let last = 0;
const freshId = () => `99391c7e-ad88-49ec-a2ad-${String(++last).padStart(12, '0')}`;

/** Nobody is asking. */
async function read(
  gateway: TestGateway,
  { id, token }: Linked,
  { session, requestId = freshId() }: { session?: string | undefined; requestId?: string } = {},
): Promise<number> {
  const { status } = await gateway.call('/stdgroup/v1/accounts', {
    headers: {
      ...gateway.accountHeaders(token, { 'PSU-IP-Address': undefined }),
      ...{ 'Consent-Id': id, 'X-Request-ID': requestId, 'Sandgate-Session': session },
    },
  });
  return status;
}

async function same(gateway: TestGateway, ...sessions: string[]): Promise<void> {
  await gateway.app.recorder.drain();
  const { store } = gateway.app;
  for (const name of sessions) {
    const live = await judgedLive(store, name);
    for (const [way, again] of Object.entries(await judgedInAllWays(store, name)))
      expect(again, `${name}: ${way}`).toEqual(live);
  }
}

async function sameInStore(gateway: TestGateway, name: string): Promise<void> {
  await gateway.app.recorder.drain();
  const { store } = gateway.app;
  expect(await judgedFromStore(store, name)).toEqual(await judgedLive(store, name));
}

const LIMIT = 'accounts/within-daily-limit';

describe('a session that goes on with what another one began', () => {
  it('is judged in its own file as it was live', async () => {
    const gateway = await started();
    const linked = await livingTpp(gateway).linked();
    const within = { headers: { ...gateway.accountHeaders(linked.token), 'Sandgate-Session': 'later' } };
    const by = (token: string) =>
      read(gateway, { ...linked, token }, { session: 'later', requestId: randomUUID() });
    expect(await by('never-given')).toBe(401);
    for (let i = 0; i < 2; i++) expect(await by(linked.token)).toBe(200);
    expect((await gateway.call(`/stdgroup/v1/consents/${linked.id}`, within)).status).toBe(200);
    expect((await gateway.call('/stdgroup/v1/consents/NEVER_GIVEN', within)).status).toBe(403);
    expect(await by('never-given')).toBe(401);
    const live = (await judgedLive(gateway.app.store, 'later')).map(({ found }) => found);
    expect(live.map((found) => found.some((rule) => rule.includes('known')))).toEqual([
      ...[true, false, false, false, true, true],
    ]);
    await same(gateway, 'later');
  });

  it('is judged as it was live where a file has findings only, from the first answer on', async () => {
    const gateway = await started();
    const linked = await livingTpp(gateway).linked();
    for (let i = 0; i < 2; i++) await read(gateway, linked, { session: 'later', requestId: randomUUID() });
    await gateway.app.recorder.drain();
    const file = await exported(gateway.app.store, 'later', 'cassette', false);
    expect(file).not.toContain('"verdicts"');
    expect((await judgedFromFile(file)).map(({ found }) => found)).toEqual([[], []]);
  });

  it('is not what a literal id shows, which the profile alone makes known', async () => {
    const gateway = await started({ bank: 'sandbox' });
    const headers = gateway.accountHeaders(await gateway.token());
    expect((await gateway.call('/stdgroup/v1/accounts', { headers })).status).toBe(200);
    await gateway.app.recorder.drain();
    const again = await judgedFromFile(await exported(gateway.app.store, 'test', 'har'), 'production');
    expect(again.at(-1)?.found).toContain('accounts/consent-known');
  });
});

describe('what a TPP got from its bank before a gateway stood between them', () => {
  it('is not unknown, whatever the bank answers, live and wherever it is judged again', async () => {
    for (const [status, body] of [
      [200, { consentStatus: 'valid', accounts: [] }],
      [401, { tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN' }] }],
    ] as const) {
      const { gateway, seen, close } = await openBankBehind(
        ({ headers }, response) => {
          const id = headers[headers.findIndex((name) => name.toLowerCase() === 'x-request-id') + 1];
          response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-ID': id });
          response.end(JSON.stringify(body));
        },
        { stance: 'enforce', profile: 'production' },
      );
      const had = { id: 'c-of-july', token: 'given-in-july', authorisation: '', refresh: '' };
      expect(await read(gateway, had)).toBe(status);
      for (const path of ['consents/c-of-july/status', 'payments/sepa-credit-transfers/p-of-july/status'])
        await gateway.call(`/stdgroup/v1/${path}`, {
          headers: { 'X-Request-ID': freshId(), 'Consent-Id': 'p-of-july' },
        });
      await gateway.app.recorder.drain();
      const live = await judgedLive(gateway.app.store, 'test');
      expect(live.map(({ found }) => found.filter((rule) => rule.includes('known')))).toEqual([[], [], []]);
      expect(seen).toHaveLength(3);
      await same(gateway, 'test');
      await close();
    }
  });
});

describe('after the living bank went back', () => {
  it('reads count from there on, wherever they are judged', async () => {
    const gateway = await started();
    const { bank } = gateway.app;
    const linked = await livingTpp(gateway).linked();
    await bank.common.takeSnapshot('linked');
    for (let i = 0; i < 4; i++) expect(await read(gateway, linked)).toBe(200);
    await bank.common.restoreSnapshot('linked');
    for (let i = 0; i < 4; i++) expect(await read(gateway, linked)).toBe(200);
    expect(await read(gateway, linked)).toBe(429);
    const live = await judgedLive(gateway.app.store, 'test');
    expect(live.map(({ found }) => found.includes(LIMIT))).toEqual([...Array(12).fill(false), true]);
    await same(gateway, 'test');
    expect(await mostReads(gateway.app.store, 'test')).toBe(4);
  });

  it('the call that came in the same turn before counts for what was, and the one behind for what is', async () => {
    const gateway = await started();
    const { bank, recorder } = gateway.app;
    const linked = await livingTpp(gateway).linked();
    await bank.common.takeSnapshot('linked');
    for (let i = 0; i < 3; i++) await read(gateway, linked);
    // What waits for the end of a turn goes into one batch.
    const steps: Promise<unknown>[] = [];
    const stop = watch(recorder, 4, () => steps.push(bank.common.restoreSnapshot('linked')));
    await Promise.all(Array.from({ length: 8 }, () => read(gateway, linked)));
    stop();
    await Promise.all(steps);
    expect(steps).toHaveLength(1);
    await same(gateway, 'test');
  });

  it('each session has it, whichever its calls named, and those that nobody named then', async () => {
    const store = aPath();
    const first = await started({ store });
    const linked = await livingTpp(first).linked();
    await first.app.bank.common.takeSnapshot('linked');
    for (const session of ['a', 'b', 'a', undefined]) await read(first, linked, { session });
    await first.app.bank.common.restoreSnapshot('linked');
    for (const session of ['b', 'a', undefined, 'b']) await read(first, linked, { session });
    await same(first, 'test');
    for (const session of ['a', 'b']) await sameInStore(first, session);
    await first.close();
    open.length = 0;
    const second = await started({ store });
    await second.app.bank.common.restoreSnapshot('linked');
    for (const session of ['b', 'b', 'c', 'b', 'b']) await read(second, linked, { session });
    await same(second, 'test');
    for (const session of ['a', 'c']) await sameInStore(second, session);
    const live = await judgedLive(second.app.store, 'b');
    expect(live.map(({ limit }) => limit)).toEqual([...Array(6).fill('complied'), 'violated']);
    // The file does not hold what was known at the snapshot: what was found live stands.
    const { store: _, 'imported HAR': ofHar, har } = await judgedInAllWays(second.app.store, 'b');
    for (const judged of [ofHar, har])
      expect(judged?.map(({ found }) => found.includes(LIMIT))).toEqual([...Array(6).fill(false), true]);
  });

  it('a world of its own has steps of its own', async () => {
    const gateway = await started({ isolateSessions: true });
    const linked = await livingTpp(gateway).linked();
    for (let i = 0; i < 2; i++) await read(gateway, linked);
    await read(gateway, linked, { session: 'own' });
    const own = await gateway.app.bank.of('own');
    await own.reset();
    for (let i = 0; i < 2; i++) await read(gateway, linked);
    await read(gateway, linked, { session: 'own' });
    expect(await read(gateway, linked)).toBe(429);
    await same(gateway, 'test', 'own');
  });

  it('a call that was under way counts as it came, and for what is known when it ends', async () => {
    const held: (() => void)[] = [];
    const behind = await openBankBehind(
      ({ target }, response) => {
        const end = () =>
          response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"accounts":[]}');
        if (target.includes('withBalance')) held.push(end);
        else end();
      },
      { source: 'upstream', bank: 'living', stance: 'observe' },
    );
    const { gateway } = behind;
    open.push({ ...gateway, close: behind.close });
    const ask = (query = '') =>
      gateway.call(`/stdgroup/v1/accounts${query}`, {
        headers: {
          ...gateway.accountHeaders('token', { 'PSU-IP-Address': undefined }),
          'X-Request-ID': freshId(),
        },
      });
    for (let i = 0; i < 4; i++) await ask();
    const fifth = ask('?withBalance=true');
    await eventually(() => expect(held).toHaveLength(1));
    await gateway.app.bank.common.reset();
    const sixth = ask('?withBalance=true');
    await eventually(() => expect(held).toHaveLength(2));
    await gateway.app.bank.common.reset();
    for (let i = 0; i < 2; i++) await ask();
    for (const end of held) end();
    await Promise.all([fifth, sixth]);
    for (let i = 0; i < 2; i++) await ask();
    const live = (await judgedLive(gateway.app.store, 'test')).map(({ limit }) => limit);
    expect(live.filter((limit) => limit === 'violated')).toHaveLength(3);
    expect(live.slice(6, 8).sort()).toEqual(['complied', 'violated']);
    await same(gateway, 'test');
  });

  it('a replay that is started again begins with nothing, live and wherever it is judged', async () => {
    const reads = async (gateway: TestGateway) => {
      const token = await gateway.token();
      for (let i = 0; i < 4; i++) {
        const headers = { 'PSU-IP-Address': undefined, 'X-Request-ID': freshId() };
        const { status } = await gateway.call('/stdgroup/v1/accounts', {
          headers: gateway.accountHeaders(token, headers),
        });
        expect(status).toBe(200);
      }
      await gateway.app.recorder.drain();
    };
    const recorded = await startTestGateway();
    open.push(recorded);
    await reads(recorded);
    const replay = aPath('recording.json');
    writeFileSync(replay, await exported(recorded.app.store, 'test', 'cassette'));
    const store = aPath();
    const settings = { source: 'replay', replay, store, session: 'again' };
    const first = await startTestGateway(settings);
    await reads(first);
    await first.close();
    const second = await startTestGateway(settings);
    open.push(second);
    await reads(second);
    expect((await judgedLive(second.app.store, 'again')).flatMap(({ found }) => found)).not.toContain(LIMIT);
    await same(second, 'again');
  });

  it('a file is the same when it was imported and exported again', async () => {
    const gateway = await started();
    const { bank, store } = gateway.app;
    const linked = await livingTpp(gateway).linked();
    await bank.common.takeSnapshot('linked');
    for (let i = 0; i < 4; i++) await read(gateway, linked);
    await bank.common.restoreSnapshot('linked');
    await read(gateway, linked);
    await bank.common.reset();
    await gateway.app.recorder.drain();
    for (const format of ['har', 'cassette'] as const) {
      const text = await exported(store, 'test', format);
      expect(await exported(await imported(text, 'test'), 'test', format)).toBe(text);
    }
  });
});

/** Calls `then` once, in the turn in which so many exchanges wait to be kept. */
function watch(recorder: TestGateway['app']['recorder'], count: number, then: () => void): () => void {
  let isDone = false;
  const take = recorder.take;
  let taken = 0;
  Object.assign(recorder, {
    take: (...given: Parameters<typeof take>) => {
      const kept = take(...given);
      if (!isDone && ++taken === count) {
        isDone = true;
        then();
      }
      return kept;
    },
  });
  return () => void Object.assign(recorder, { take });
}

const SESSIONS = [undefined, 'a', 'b'] as const;
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      session: fc.constantFrom(...SESSIONS),
      nth: fc.nat({ max: 1 }),
      again: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reads' as const),
      session: fc.constantFrom(...SESSIONS),
      nth: fc.nat({ max: 1 }),
      step: fc.constantFrom('restore', 'reset', 'snapshot', 'none'),
    }),
  },
  fc.record({
    do: fc.constantFrom('snapshot' as const, 'restore' as const, 'drop' as const),
    name: fc.constantFrom('x', 'y'),
  }),
  fc.record({ do: fc.constant('reset' as const) }),
  fc.record({ do: fc.constant('link' as const) }),
  fc.record({ do: fc.constant('clock' as const), by: fc.constantFrom(-DAY_MS, 3_600_000, DAY_MS) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

describe('whatever befalls a world', () => {
  it('is judged from store and files as it was live', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 6, maxLength: 20 }), async (steps) => {
        const gateway = await started();
        await walk(gateway, steps);
        const names = (await gateway.app.store.sessions()).map(({ name }) => name);
        expect(names).toContain('test');
        await same(gateway, 'test');
        await gateway.close();
        open.length = 0;
      }),
      { numRuns: 12 },
    );
  });
});

async function walk(gateway: TestGateway, steps: readonly Step[]): Promise<void> {
  const bank = gateway.app.bank.common;
  const tpp = livingTpp(gateway);
  const linked = [await tpp.linked()];
  await bank.takeSnapshot('x');
  const has = (name: string) => bank.snapshots().some((one) => one.name === name);
  const nthOf = (nth: number) => linked[linked.length - 1 - (nth % linked.length)] as Linked;
  let ahead = 0;
  for (const step of steps) {
    if (step.do === 'link') linked.push(await tpp.linked());
    else if (step.do === 'reset') await bank.reset();
    else if (step.do === 'snapshot') await bank.takeSnapshot(step.name);
    else if (step.do === 'clock') {
      // Further back its certificate is not valid yet.
      if (ahead + step.by < -DAY_MS) continue;
      ahead += step.by;
      const json = { advance: `${step.by / 3_600_000}h` };
      await gateway.call('/api/clock', { side: 'admin', method: 'PUT', json });
    } else if (step.do === 'read') {
      const known = {
        session: undefined,
        ...(step.again ? { requestId: 'c0ffee00-ad88-49ec-a2ad-000000000001' } : {}),
      };
      await read(gateway, nthOf(step.nth), known);
    } else if (step.do === 'reads') {
      const stepping = async () => {
        if (step.step === 'reset') await bank.reset();
        if (step.step === 'snapshot') await bank.takeSnapshot('y');
        if (step.step === 'restore' && has('x')) await bank.restoreSnapshot('x');
      };
      const ask = () => read(gateway, nthOf(step.nth));
      await Promise.all([ask(), ask(), stepping(), ask(), ask(), ask()]);
    } else if (has(step.name)) {
      if (step.do === 'restore') await bank.restoreSnapshot(step.name);
      else await bank.dropSnapshot(step.name);
    }
  }
}
