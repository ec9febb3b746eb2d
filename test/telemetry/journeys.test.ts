/** Ten thousand SCA journeys at a collector. Their rows are made here; test/e2e/telemetry.test.ts walks some over TLS. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/exchange/index.js';
import { dialectOf, type OperationId } from '../../src/spec/index.js';
import { createOtlp } from '../../src/telemetry/index.js';
import { anExchange, NOW } from '../builders.js';
import { aTimer } from './a-timer.js';
import { type SeenSpan, startCollector } from './collector.js';

const JOURNEYS = 10_000;
const SECRET = 'PLANTED';
const iban = (i: number) => `BE${String(68_000_000_000_000 + i)}`;
const id = (i: number) => `${SECRET}-consent-${i}`;
const token = (i: number) => `${SECRET}-token-${i}`;
/** Ids as the gateway gives them: eleven characters. */
const exchangeId = (step: number, i: number) => `${step}${String(i).padStart(10, '0')}`;

/** Every step names what must not be told, in whatever part of it there is: rows are not even redacted. */
const STEPS: readonly [OperationId, (i: number) => NonNullable<Parameters<typeof anExchange>[0]>][] = [
  [
    'consents.create',
    (i) => ({
      call: { query: `iban=${iban(i)}`, body: { access: { accounts: [{ iban: iban(i) }] } } },
      answer: { status: 201, body: { consentId: id(i), psu: SECRET } },
    }),
  ],
  [
    'oauth.authorize',
    (i) => ({
      call: { query: `scope=AIS:${id(i)}&state=${token(i)}&login_hint=${iban(i)}` },
      answer: { status: 302, headers: { Location: `https://tpp.example/?code=${token(i)}` } },
    }),
  ],
  [
    'oauth.token',
    (i) => ({
      call: { form: { grant_type: 'authorization_code', code: token(i) } },
      answer: { body: { access_token: token(i), refresh_token: token(i), scope: `AIS:${id(i)}` } },
    }),
  ],
  [
    'accounts.transactions',
    (i) => ({
      call: {
        params: { accountId: iban(i) },
        query: `dateFrom=${SECRET}`,
        headers: { 'Consent-Id': id(i), Authorization: `Bearer ${token(i)}`, 'PSU-ID': SECRET },
      },
      answer: { body: { account: { iban: iban(i) } } },
    }),
  ],
];

it('ten thousand journeys are a trace each, reads behind them link there, and no account, token, query or id is told', async () => {
  const collector = await startCollector();
  const timer = aTimer();
  let sent = 0;
  const otlp = createOtlp({
    ...{ url: collector.url, headers: {}, version: '1', instance: 'host:1', timer },
    ...{ bytes: randomBytes, secret: randomBytes(32), routes: dialectOf().templates, bank: null },
    onEnd: (exchanges, why) => {
      expect(why).toBeNull();
      sent += exchanges;
    },
  });
  // A step of all after that of all: each journey is taken up again when most others came in between.
  for (const [step, [operation, partsOf]] of STEPS.entries())
    for (let from = 0; from < JOURNEYS; from += 500) {
      const rows = Array.from({ length: 500 }, (_, n): Exchange => {
        const { call, answer } = partsOf(from + n);
        const at = NOW + step * 60_000 + from + n;
        return anExchange({
          call: { ...call, operation, at, id: exchangeId(step, from + n) },
          ...(answer === undefined ? {} : { answer }),
        });
      });
      otlp.take(
        rows.map((exchange) => ({
          ...{ exchange, verdicts: {} },
          findings: [
            {
              ...{ rule: 'accounts/token-present', severity: 'must', judges: 'tpp' },
              ...{ place: `body ${SECRET}`, expected: SECRET, actual: iban(from) },
            },
          ],
        })),
      );
      timer.pass(1_000);
      await expect.poll(() => sent, { timeout: 10_000, interval: 1 }).toBe(step * JOURNEYS + from + 500);
    }
  await otlp.close();

  const bytes = Buffer.concat(collector.requests.map(({ body }) => body));
  for (const secret of [SECRET, 'BE680000', 'tpp.example', 'dateFrom', 'Bearer'])
    expect(bytes.includes(secret), secret).toBe(false);
  const byExchange = new Map<unknown, SeenSpan>();
  const spans = collector.spans();
  for (const span of spans)
    if (span.attributes['sandgate.exchange']) byExchange.set(span.attributes['sandgate.exchange'], span);
  expect(byExchange.size).toBe(STEPS.length * JOURNEYS);
  expect(new Set(spans.map(({ trace, id: own }) => `${trace} ${own}`)).size).toBe(spans.length);
  const traces = new Set<string>();
  for (let i = 0; i < JOURNEYS; i++) {
    const [creation, authorise, tokenCall, read] = STEPS.map((_, step) =>
      byExchange.get(exchangeId(step, i)),
    );
    const { trace, id: root } = creation as SeenSpan;
    traces.add(trace);
    const journey = [creation, authorise, tokenCall].map((span) => [span?.trace, span?.parent]);
    expect(journey).toEqual([
      [trace, ''],
      [trace, root],
      [trace, root],
    ]);
    expect(read?.trace).not.toBe(trace);
    expect(read?.links).toEqual([{ trace, span: root }]);
  }
  expect(traces.size).toBe(JOURNEYS);
});
