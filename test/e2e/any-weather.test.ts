/**
 * Whatever faults are in force and however a sound TPP walks through the living bank: the books balance, no rule blames
 * anybody for what was injected, each fault that was used is marked, files are judged as it was live, and a replay plays it.
 */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createDraws } from '../../src/bank/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { aPath } from '../store/stores.js';
import { audited, currentAccounts, NOTHING_AUDITED } from './auditor.js';
import { EXPECTED_VIOLATIONS, startTestGateway, type TestGateway } from './harness.js';
import { exported, judgedInAllWays, judgedLive } from './judged-again.js';
import { createSoundTpp, type SoundTpp } from './sound-tpp.js';

/** The same walks each time; `WALKS=$RANDOM` takes others. */
const SEED = Number(process.env.WALKS ?? 28);
const RUNS = Number(process.env.WALK_RUNS ?? 4);

const nth = fc.nat({ max: 30 });
const member = fc.constantFrom(
  'consentId',
  'access_token',
  'refresh_token',
  'balanceAmount',
  '_links',
  'href',
);
const DO = [
  { kind: fc.constant('delay'), ms: fc.constantFrom(1, 4), jitter: fc.constantFrom(0, 3) },
  { kind: fc.constantFrom('hang', 'reset', 'done/lost', 'html', 'truncate', 'numbers', 'no-offset') },
  { kind: fc.constant('cut'), at: fc.constantFrom('before', 'body', 'after') },
  { kind: fc.constant('slow-body'), bytes: fc.constant(1_000_000) },
  {
    kind: fc.constantFrom('status', 'status-after'),
    status: fc.constantFrom(500, 502, 503, 504),
    form: fc.constantFrom('json', 'html', 'empty'),
  },
  { kind: fc.constant('status'), status: fc.constantFrom(429, 400, 404), retryAfter: fc.constant(30) },
  { kind: fc.constantFrom('maintenance', 'media-type', 'unknown-member') },
  { kind: fc.constant('done/late'), ms: fc.constant(3) },
  { kind: fc.constant('member'), member, to: fc.constantFrom('absent', 'null', 'empty', 'number', 'list') },
  {
    kind: fc.constant('unknown-status'),
    value: fc.constantFrom('XXXX', 'valid', 'ACSC', 'RJCT', 'expired', 'finalised'),
  },
  { kind: fc.constantFrom('same-page', 'moving-window', 'empty-last-page', 'no-next') },
  { kind: fc.constantFrom('5xx-after-rotation', 'expires-early', 'refresh-once', 'scope-narrowed') },
  { kind: fc.constantFrom('no-state', 'other-state', 'no-error', 'never', 'return/twice', 'return/late') },
  { kind: fc.constantFrom('early', 'by-ip', 'without-retry-after') },
].map((row) => fc.record<Record<string, unknown>>(row));
const WHERE = [
  '',
  'operation:accounts.*',
  'operation:consents.*',
  'operation:payments.*',
  'operation:oauth.*',
];
const faults = fc.uniqueArray(
  fc.record(
    {
      id: fc.nat({ max: 99 }).map((n) => `f${n}`),
      do: fc.oneof(...DO),
      where: fc.constantFrom(...WHERE),
      after: fc.nat({ max: 3 }),
      count: fc.integer({ min: 1, max: 4 }),
      share: fc.constantFrom(0.3, 0.7, 1),
    },
    { requiredKeys: ['id', 'do', 'count'] },
  ),
  { minLength: 1, maxLength: 7, selector: ({ id }) => id },
);

const psu = fc.constantFrom('psu-1', 'psu-2', 'psu-3');
const outcome = fc.constantFrom('SCA_OK', 'SCA_OK', 'SCA_OK', 'SCA_NOK', 'LOGIN_CANCEL');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('link' as const), psu, outcome }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      ...{ psu, outcome, from: nth },
      cents: fc.integer({ min: 1, max: 90_000 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('balances', 'transactions', 'unattended', 'refresh', 'status'),
      which: nth,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const linked: Step = { do: 'link', psu: 'psu-1', outcome: 'SCA_OK' };

const running: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
});

it('blames nobody, loses no money, and is played again', { timeout: 240_000 }, async () => {
  const steps = fc.array(step, { minLength: 8, maxLength: 22 });
  await fc.assert(fc.asyncProperty(faults, steps, fc.nat(), storm), {
    numRuns: RUNS,
    endOnFailure: true,
    seed: SEED,
  });
});

async function storm(rows: readonly object[], walk: readonly Step[], seed: number): Promise<void> {
  const gateway = await opened({
    bank: 'living',
    store: aPath(),
    session: 'test',
    bankSeed: String(seed % 1_000),
  });
  const ibans = await currentAccounts(gateway);
  const before = await audited(gateway, NOTHING_AUDITED);
  const begin = (await gateway.records()).length;
  for (const row of rows) await gateway.app.faults.add(row);
  const tpp = await walked(gateway, [linked, ...walk], ibans, seed);
  const unused = gateway.app.faults.unused();
  const records = (await gateway.records()).slice(begin);
  await gateway.app.faults.clear();
  await audited(gateway, before);

  const { store } = gateway.app;
  const used = new Set(records.flatMap(({ exchange }) => exchange.injected?.fault ?? []));
  expect([...used].sort(), 'each fault that was used is marked').toEqual(
    rows.flatMap((row) => ('id' in row && !unused.includes(String(row.id)) ? String(row.id) : [])).sort(),
  );
  const blamed = records.flatMap(({ exchange: { call, answer, injected }, findings }, i) =>
    findings
      .filter(({ rule, severity }) => severity !== 'note' && !isExpected(rule, call.operation))
      .map(({ rule, place, expected, actual }) =>
        [
          ...[`${i} ${call.request.method} ${call.request.target} ${answer?.status}`, injected?.kind ?? ''],
          ...[rule, place, `${expected}, not ${actual}`],
        ].join(' | '),
      ),
  );
  expect(blamed, told(records)).toEqual([]);

  const live = await judgedLive(store, 'test');
  for (const [way, again] of Object.entries(await judgedInAllWays(store, 'test')))
    expect(again, way).toEqual(live);
  for (const format of ['cassette', 'har'] as const) {
    const file = `${aPath()}.${format === 'har' ? 'har' : 'json'}`;
    writeFileSync(file, await exported(store, 'test', format));
    await replayed(file, tpp, [linked, ...walk], ibans, seed);
  }
}

const told = (records: readonly RecordedExchange[]): string =>
  records
    .map(({ exchange: { call, answer, injected } }, i) => {
      const { method, path } = call.request;
      return `${i} ${method} ${path} ${answer?.status} ${injected === undefined ? '' : JSON.stringify(injected)}`;
    })
    .join('\n');

const isExpected = (rule: string, operation: string | null) =>
  EXPECTED_VIOLATIONS.some((one) => one.rule === rule && one.operation === operation);

async function opened(settings: Record<string, unknown>): Promise<TestGateway> {
  const gateway = await startTestGateway(settings);
  running.push(gateway);
  return gateway;
}

async function walked(
  gateway: TestGateway,
  steps: readonly Step[],
  ibans: readonly string[],
  seed: number,
): Promise<SoundTpp> {
  const silent = new Map<string, () => void>();
  const stop = gateway.app.feed.listen({
    take: ({ records }) => {
      for (const { exchange } of records)
        if (exchange.injected?.end === 'hang') silent.get(exchange.call.header['x-request-id'] ?? '')?.();
    },
    lost: () => {},
    stirred: () => {},
  });
  const next = createDraws(seed, 7);
  const hex = (length: number) => Array.from({ length }, () => (next() % 16).toString(16)).join('');
  const draw = (what: string) =>
    what === 'id' ? `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}` : hex(48);
  const silence = (id: string) => new Promise<void>((resolve) => silent.set(id, resolve));
  const tpp = createSoundTpp({ gateway, draw, silence });
  for (const one of steps) await taken(tpp, one, ibans);
  stop();
  return tpp;
}

async function taken(tpp: SoundTpp, one: Step, ibans: readonly string[]): Promise<void> {
  if (one.do === 'link') return tpp.link(one.outcome, one.psu);
  if (one.do === 'pay') {
    const iban = ibans[one.from % ibans.length] as string;
    return tpp.pay((one.cents / 100).toFixed(2), iban, one.outcome, one.psu);
  }
  if (one.do === 'wait') return tpp.wait(one.hours);
  const { links } = tpp;
  const link = links[one.which % Math.max(1, links.length)];
  if (link === undefined) return;
  if (one.do === 'end') return tpp.end(link);
  if (one.do === 'status') {
    tpp.wait(1);
    await tpp.status(link);
  } else if (one.do === 'refresh') await tpp.refresh(link);
  else if (link.kind === 'consent') await tpp[one.do as 'balances'](link);
}

/** The same TPP meets the same, with no fault in force. */
async function replayed(
  file: string,
  recorded: SoundTpp,
  steps: readonly Step[],
  ibans: readonly string[],
  seed: number,
): Promise<void> {
  const gateway = await opened({ source: 'replay', replay: file });
  const tpp = await walked(gateway, steps, ibans, seed);
  const missed = gateway.app.replay?.report().missed.map(({ text }) => text);
  expect({ seen: tpp.seen, missed }).toEqual({ seen: recorded.seen, missed: [] });
}
