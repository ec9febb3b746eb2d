/** Calls that are under way at the same time, before a bank that takes its time: live and in every file the same. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answered } from '../../../src/answer/index.js';
import { createOfflineJudge, judgeRecording, loadConfig } from '../../../src/app/index.js';
import { createWorld } from '../../../src/bank/index.js';
import { createIdSource, type Exchange, type FileRecord, through } from '../../../src/exchange/index.js';
import { buildCassette, readRecording } from '../../../src/exchange/recording/index.js';
import { createPipeline, createRecogniseOn, type Incoming } from '../../../src/gateway/index.js';
import type { LedgerState } from '../../../src/ledger/index.js';
import { createJudge, type Finding, RULES } from '../../../src/rules/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import {
  type AnswerParts,
  aCall,
  aCertificate,
  anAnswer,
  type CallParts,
  fingerprint,
  judgeOptions,
  NOW,
} from '../../builders.js';
import { buildHar } from '../../exchange/har/build-har.js';

/** One call: when it comes and how long the bank takes, in ms from the beginning; what it answers. */
interface Sent {
  readonly at: number;
  readonly takes: number;
  readonly call: CallParts;
  readonly answer?: AnswerParts;
  /** The client is gone, or the bank did not answer. */
  readonly fails?: true;
}

interface Played {
  readonly exchange: Exchange;
  readonly findings: readonly Finding[];
  readonly rules: readonly string[];
}

interface Session {
  readonly records: readonly Played[];
  readonly ledger: LedgerState;
}

const ABOUT = [
  'accounts/within-daily-limit',
  'requests/request-id-fresh',
  'payments/polling-restraint',
  'oauth/code-used-once',
  'oauth/refresh-token-current',
  'answers/limit-not-early',
];
const byRule = (rules: readonly string[]) => rules.filter((rule) => ABOUT.includes(rule));

/** Sends all of them through one pipeline in stance observe, on a clock of its own. */
async function play(sent: readonly Sent[]): Promise<Session> {
  let now = NOW;
  const world = createWorld();
  const records: Played[] = [];
  const waiting = new Map<string, (answered: Answered | null) => void>();
  const recogniseOn = createRecogniseOn({
    dialect: dialectOf(),
    urls: () => ({ api: 'https://a', psu: 'https://p' }),
  });
  const pipeline = createPipeline({
    session: () => 'test',
    stance: () => 'observe',
    recognise: recogniseOn,
    judge: createJudge({ rules: RULES, options: judgeOptions(), fingerprint }),
    answerer: {
      name: 'upstream',
      knowsMore: () => true,
      answer: (call) =>
        new Promise((resolve) => {
          const fault = { kind: 'reset', message: 'The bank hung up.' } as const;
          waiting.set(call.header['x-number'] ?? '', (answered) =>
            resolve(answered ?? { answer: anAnswer({ source: 'gateway', status: 502 }), fault }),
          );
        }),
    },
    worlds: { of: () => world },
    fingerprint,
    onUnrecorded: () => {},
    recorder: {
      problem: () => null,
      begin: async () => {},
      assure: async () => {},
      take: async (exchange, { findings }) => {
        records.push({ exchange, findings, rules: byRule(findings.map(({ rule }) => rule)) });
      },
    },
    nextId: createIdSource({ clock: () => now }),
    stopwatch: () => now,
    onInternalError: (error) => {
      throw error;
    },
  });
  const moments = sent
    .flatMap((one, i) => [
      { at: one.at, i, isEnd: false, one },
      { at: one.at + one.takes, i, isEnd: true, one },
    ])
    .sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd) || a.i - b.i);
  const ways: Promise<unknown>[] = [];
  for (const { at, i, isEnd, one } of moments) {
    now = NOW + at;
    if (isEnd) {
      waiting.get(String(i))?.(
        one.fails ? null : { answer: anAnswer({ source: 'upstream', ...one.answer }) },
      );
      await new Promise(setImmediate);
      continue;
    }
    const { request } = aCall({ ...one.call, headers: { 'X-Number': String(i), ...one.call.headers } });
    const tls = { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false };
    const incoming: Incoming = {
      listener: 'api',
      peer: { connection: { address: '127.0.0.1', tls }, certificate: aCertificate() },
      at: now,
      ahead: 0,
      started: now,
      ...{ method: request.method, target: request.target, headers: request.headers, body: request.body },
      ...{ problem: null, unread: null, raw: null },
      gone: new AbortController().signal,
    };
    ways.push(pipeline(incoming));
  }
  await Promise.all(ways);
  return { records, ledger: world.ledger };
}

/** The rules that each call violated, in the order in which the calls were sent. */
const inOrder = (records: readonly Played[]) =>
  [...records].sort((a, b) => numberOf(a.exchange) - numberOf(b.exchange)).map(({ rules }) => rules);
const numberOf = ({ call }: Exchange) => Number(call.header['x-number']);

type Kind = 'the store' | 'a HAR of ours' | 'a HAR of a proxy' | 'a cassette';

function judgedAgain(live: readonly Played[], kind: Kind): Played[] {
  const records: readonly FileRecord[] = live.map(({ exchange }) => ({ exchange }));
  const meta = { version: '0', session: 'test', dialect: dialectOf() };
  const { config } = loadConfig({ env: {} });
  const isForeign = kind === 'a HAR of a proxy';
  const parts = { fingerprint, today: '2026-06-15', dialect: dialectOf(), origins: [], foreign: isForeign };
  const read = (): readonly FileRecord[] => {
    if (kind === 'the store') return records;
    // A cassette without a finding would be one of calls in which nothing was found live.
    if (kind === 'a cassette') return readRecording(buildCassette(live, { ...meta, origins: {} })).records;
    const har = [...buildHar(records, meta)].join('');
    return readRecording(isForeign ? withoutOurNotes(har) : har).records;
  };
  const judge = createOfflineJudge(config, parts);
  return [...through(read(), judgeRecording({ judge, fingerprint }))].map(({ exchange, findings }) => ({
    exchange,
    findings,
    rules: byRule(findings.map(({ rule }) => rule)),
  }));
}

/** As a proxy would have written it, which sorts entries by their start. */
function withoutOurNotes(text: string): string {
  const har = JSON.parse(text) as {
    log: { entries: { startedDateTime: string; _sandgate?: unknown }[]; _sandgate?: unknown };
  };
  delete har.log._sandgate;
  for (const entry of har.log.entries) delete entry._sandgate;
  har.log.entries.sort((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1));
  return JSON.stringify(har);
}

const KINDS: readonly Kind[] = ['the store', 'a HAR of ours', 'a HAR of a proxy', 'a cassette'];
const uuid = (n: number) => `99391c7e-ad88-49ec-a2ad-${String(n).padStart(12, '0')}`;

/** Six calls of that kind, 7 ms apart, each answered after 50 ms. */
const six = (call: (i: number) => CallParts, answer?: AnswerParts): Sent[] =>
  Array.from({ length: 6 }, (_, i) => ({
    at: i * 7,
    takes: 50,
    call: call(i),
    ...(answer ? { answer } : {}),
  }));

const read = (i: number): CallParts => ({
  operation: 'accounts.list',
  headers: { 'X-Request-ID': uuid(i), 'Consent-Id': 'VALID_CONSENT_ID', Authorization: 'Bearer t' },
});
const creation = (i: number, id = uuid(i)): CallParts => ({
  operation: 'consents.create',
  headers: { 'X-Request-ID': id },
  body: { number: i },
});
const poll = (i: number, paymentId = 'P1'): CallParts => ({
  operation: 'payments.status',
  params: { paymentId },
  headers: { 'X-Request-ID': uuid(i) },
});
const token = (form: Record<string, string>): CallParts => ({ operation: 'oauth.token', form });
const code = (name: string) => token({ grant_type: 'authorization_code', code: name });
const refresh = (name: string) => token({ grant_type: 'refresh_token', refresh_token: name });
const tokens = (n: number): AnswerParts => ({
  body: { access_token: `access-${n}`, refresh_token: `refresh-${n}`, expires_in: 3600, scope: 'AIS:C1' },
});
const ok = { body: { accounts: [] } };

const EXCEEDED: AnswerParts = {
  status: 429,
  body: { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] },
};

const LIMIT = ['accounts/within-daily-limit'];
const EARLY = ['answers/limit-not-early'];
const FRESH = ['requests/request-id-fresh'];
const RESTRAINT = ['payments/polling-restraint'];
const ONCE = ['oauth/code-used-once'];
const CURRENT = ['oauth/refresh-token-current'];

const CASES: readonly (readonly [string, readonly Sent[], readonly (readonly string[])[]])[] = [
  ['six unattended reads', six(read, ok), [[], [], [], [], LIMIT, LIMIT]],
  [
    'six reads, the PSU at the screen',
    six((i) => ({ ...read(i), headers: { ...read(i).headers, 'PSU-IP-Address': '192.0.2.7' } }), ok),
    [[], [], [], [], [], []],
  ],
  [
    'five reads, of which the bank refuses the third',
    six(read, ok)
      .slice(0, 5)
      .map((one, i) => (i === 2 ? { ...one, takes: 20, answer: EXCEEDED } : one)),
    [[], [], [], [], LIMIT],
  ],
  [
    'three reads with a consent that was seen, of which the bank refuses the third',
    [
      {
        at: 0,
        takes: 5,
        call: creation(9),
        answer: { status: 201, body: { consentId: 'VALID_CONSENT_ID' } },
      },
      ...six(read, ok)
        .slice(0, 3)
        .map((one, i) => (i === 2 ? { ...one, takes: 20, answer: EXCEEDED } : one))
        .map((one) => ({ ...one, at: one.at + 10 })),
    ],
    [[], [], [], EARLY],
  ],
  [
    'four reads, and two after one of them failed',
    [
      ...six(read, ok).slice(0, 3),
      { at: 21, takes: 10, call: read(3), fails: true },
      { at: 40, takes: 50, call: read(4), answer: ok },
      { at: 60, takes: 50, call: read(5), answer: ok },
    ],
    [[], [], [], [], [], LIMIT],
  ],
  [
    'four reads, and two after the bank refused one of them',
    [
      ...six(read, ok).slice(0, 3),
      { at: 21, takes: 10, call: read(3), answer: { status: 401 } },
      { at: 40, takes: 50, call: read(4), answer: ok },
      { at: 60, takes: 50, call: read(5), answer: ok },
    ],
    [[], [], [], [], [], LIMIT],
  ],
  [
    'one request id with two bodies',
    [
      { at: 0, takes: 50, call: creation(0, uuid(7)) },
      { at: 10, takes: 20, call: creation(1, uuid(7)) },
      { at: 20, takes: 50, call: creation(0, uuid(7)) },
    ],
    [[], FRESH, []],
  ],
  [
    'two polls of one payment, and one of another',
    [
      { at: 0, takes: 300, call: poll(0), answer: { body: { transactionStatus: 'RCVD' } } },
      { at: 200, takes: 30, call: poll(1), answer: { body: { transactionStatus: 'RCVD' } } },
      { at: 210, takes: 30, call: poll(2, 'P2'), answer: { body: { transactionStatus: 'RCVD' } } },
    ],
    [[], RESTRAINT, []],
  ],
  [
    'one code twice, and again after it was refused',
    [
      { at: 0, takes: 80, call: code('c1'), answer: { status: 400 } },
      { at: 10, takes: 20, call: code('c1'), answer: { status: 400 } },
      { at: 200, takes: 80, call: code('c1'), answer: tokens(1) },
    ],
    [[], ONCE, []],
  ],
  [
    'the short one of two with one code comes second',
    [
      { at: 0, takes: 80, call: code('c1'), answer: tokens(1) },
      { at: 10, takes: 20, call: code('c1'), answer: tokens(2) },
      { at: 300, takes: 20, call: refresh('refresh-2'), answer: tokens(3) },
    ],
    [[], ONCE, []],
  ],
  [
    'one refresh token twice, of a bank that gives a new one each time',
    [
      { at: 0, takes: 20, call: code('c1'), answer: tokens(1) },
      { at: 100, takes: 20, call: refresh('refresh-1'), answer: tokens(2) },
      { at: 200, takes: 80, call: refresh('refresh-2'), answer: tokens(3) },
      { at: 210, takes: 80, call: refresh('refresh-2'), answer: tokens(4) },
    ],
    [[], [], [], CURRENT],
  ],
  [
    'one refresh token twice, of a bank that may leave it as it is',
    [
      { at: 0, takes: 20, call: code('c1'), answer: tokens(1) },
      { at: 200, takes: 80, call: refresh('refresh-1'), answer: tokens(1) },
      { at: 210, takes: 80, call: refresh('refresh-1'), answer: tokens(1) },
    ],
    [[], [], []],
  ],
];

describe('calls at the same time', () => {
  describe.each(CASES)('%s', (_, sent, expected) => {
    it('count from their arrival, live', async () => {
      expect(inOrder((await play(sent)).records)).toEqual(expected);
    });

    it.each(KINDS)('are judged the same from %s', async (kind) => {
      const { records } = await play(sent);
      expect(inOrder(judgedAgain(records, kind))).toEqual(expected);
    });
  });

  it('give back whatever they held', async () => {
    for (const [, sent] of CASES) expect([...(await play(sent)).ledger.underWay]).toEqual([]);
  });

  it('are judged the same live and from every file, whatever comes and ends when', async () => {
    const answers = fc.constantFrom<Pick<Sent, 'answer' | 'fails'>>(
      { answer: { status: 401 } },
      { fails: true },
      { answer: tokens(1) },
      { answer: tokens(2) },
      { answer: tokens(3) },
      { answer: ok },
    );
    const calls = fc.constantFrom<(i: number) => CallParts>(
      read,
      read,
      (i) => creation(i, uuid(99)),
      (i) => poll(i),
      () => code('c1'),
      () => refresh('refresh-1'),
      () => refresh('refresh-2'),
    );
    const one = fc.record({
      gap: fc.integer({ min: 2, max: 60 }),
      takes: fc.integer({ min: 2, max: 120 }),
      call: calls,
      answer: answers,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 14 }), async (list) => {
        let at = 0;
        // Ends on even and arrivals on odd milliseconds: which came first is then no matter of rounding.
        const sent = list.map(({ gap, takes, call, answer }, i): Sent => {
          at += 2 * gap;
          return { at: at + 1, takes: 2 * takes + 1, call: call(i), ...answer };
        });
        const { records } = await play(sent);
        const live = inOrder(records);
        for (const kind of KINDS) expect(inOrder(judgedAgain(records, kind)), kind).toEqual(live);
      }),
      { numRuns: 60 },
    );
  });
});
