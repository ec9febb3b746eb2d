import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../src/answer/index.js';
import { createWorld, type World } from '../../src/bank/index.js';
import { type Exchange, type Fault, tppOf } from '../../src/exchange/index.js';
import {
  createPipeline,
  createRecogniseOn,
  type Incoming,
  type PipelineParts,
} from '../../src/gateway/index.js';
import { createJudge, type Judged, RULES } from '../../src/rules/index.js';
import { dialectOf, SandgateError } from '../../src/spec/index.js';
import { aCertificate, anAnswer, fingerprint, judgeOptions, NOW, REQUEST_ID } from '../builders.js';

interface Taken {
  readonly exchange: Exchange;
  readonly judged: Pick<Judged, 'verdicts' | 'findings'>;
}

function aPipeline(
  answer: Answerer['answer'],
  { world = createWorld(), ...overrides }: Partial<PipelineParts> & { readonly world?: World } = {},
) {
  const taken: Taken[] = [];
  const errors: unknown[] = [];
  let ids = 0;
  const pipeline = createPipeline({
    session: () => 'test',
    stance: () => 'enforce',
    recognise: createRecogniseOn({
      dialect: dialectOf(),
      urls: () => ({ api: 'https://a', psu: 'https://p' }),
    }),
    judge: createJudge({ rules: RULES, options: judgeOptions(), fingerprint }),
    answerer: { name: 'emulator', answer },
    worlds: { of: () => world },
    fingerprint,
    recorder: {
      ...KEEPS,
      take: async (exchange, judged) => {
        taken.push({ exchange, judged });
      },
    },
    onUnrecorded: () => {},
    nextId: () => `id-${++ids}`,
    stopwatch: () => 0,
    onInternalError: (error) => errors.push(error),
    ...overrides,
  });
  return { pipeline, taken, errors };
}

const KEEPS: PipelineParts['recorder'] = {
  take: async () => {},
  begin: async () => {},
  assure: async () => {},
  problem: () => null,
};
const refuses = () =>
  Promise.reject(new SandgateError('store.unusable', { path: 'a.db', why: 'the disk is full' }));

const ACCOUNTS = '/stdgroup/v1/accounts';
const STATUS = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';
const AUTHORIZE = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111?scope=x';

function incoming(overrides: Partial<Incoming> = {}): Incoming {
  const tls = { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false };
  return {
    listener: 'api',
    peer: { connection: { address: '127.0.0.1', tls }, certificate: aCertificate() },
    at: NOW,
    ahead: 0,
    started: 0,
    method: 'GET',
    target: STATUS,
    headers: [
      ['Host', 'localhost'],
      ['X-Request-ID', REQUEST_ID],
    ],
    body: null,
    problem: null,
    unread: null,
    raw: null,
    gone: new AbortController().signal,
    ...overrides,
  };
}

const valid = () => ({
  answer: anAnswer({ body: { consentStatus: 'valid' }, headers: { 'X-Request-ID': REQUEST_ID } }),
});
const payment = incoming({ method: 'POST', target: '/stdgroup/v1/payments/sepa-credit-transfers' });
const reading = (...more: (readonly [string, string])[]): Incoming =>
  incoming({
    target: ACCOUNTS,
    headers: [...incoming().headers, ['Consent-ID', 'VALID_CONSENT_ID'], ...more],
  });
const UNKNOWN_BODY = { text: '', size: 2_000_000, truncated: true } as const;
const withField = (target: string, name = 'Accept', value = '*/*'): Incoming =>
  incoming({ target, headers: [...incoming().headers, [name, value]] });
const without = { peer: { ...incoming().peer, certificate: 'absent' as const } };

describe('the way of a call', () => {
  it.each([
    ['as a bank began to answer it', 10, { total: 35, answerer: 25, firstByte: 10.12 }],
    ['as nobody was heard', null, { total: 35, answerer: 25 }],
  ])('is timed %s', async (_, wait, elapsed) => {
    let time = 0;
    const source: Answerer['answer'] = async (_, context) => {
      if (wait !== null) {
        time += wait + 0.1234;
        context.heard?.();
        time -= 0.1234;
      }
      time += 25 - (wait ?? 0);
      return valid();
    };
    const { pipeline, taken } = aPipeline(source, { stopwatch: () => time });
    time += 10;
    await pipeline(incoming({ started: 0 }));
    expect(taken[0]?.exchange.elapsed).toEqual(elapsed);
  });

  it('is gone in one turn up to the recorder, where the answerer answers at once', () => {
    const { pipeline, taken } = aPipeline(valid);
    void pipeline(incoming());
    expect(taken.map(({ exchange }) => exchange.answer?.status)).toEqual([200]);
  });

  it('ends only when the exchange is recorded', async () => {
    let recorded: () => void = () => {};
    const take = () =>
      new Promise<void>((resolve) => {
        recorded = resolve;
      });
    const { pipeline } = aPipeline(valid, { recorder: { ...KEEPS, take } });
    let answered = false;
    const way = pipeline(incoming()).then(() => {
      answered = true;
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    recorded();
    await way;
    expect(answered).toBe(true);
  });

  it('ends in a 503 that says so where the exchange could not be recorded and nobody else was asked', async () => {
    const { pipeline } = aPipeline(valid, { recorder: { ...KEEPS, take: refuses } });
    const outgoing = await pipeline(incoming());
    expect(outgoing).toMatchObject({
      exchange: null,
      findings: [],
      answer: { status: 503, source: 'gateway' },
    });
    expect(outgoing?.answer.header['retry-after']).toBe('5');
    expect(outgoing?.answer.body?.text).toContain('SERVICE_UNAVAILABLE');
  });

  it('asks nobody while nothing can be recorded', async () => {
    let asked = 0;
    const problem = () => new SandgateError('store.unusable', { path: 'a.db', why: 'the disk is full' });
    const answer: Answerer['answer'] = () => {
      asked += 1;
      return valid();
    };
    const { pipeline } = aPipeline(answer, { recorder: { ...KEEPS, problem } });
    const outgoing = await pipeline(incoming());
    expect([asked, outgoing?.answer.status, outgoing?.exchange]).toEqual([0, 503, null]);
  });

  const failing = (): never => {
    throw new SandgateError('store.unusable', { path: 'a.db', why: 'the connection was lost' });
  };
  it.each([
    ['a page', { sessionOf: refuses }, () => ({ session: 's' })],
    ['a page, whose store fails at once', { sessionOf: failing }, () => ({ session: 's' })],
    ['a session', {}, refuses],
  ])(
    'ends in a 503, and asks nobody, where the store cannot tell whose it is: %s',
    async (_name, more, sessionNamed) => {
      const headers = [...incoming().headers, ['Sandgate-Session', 's'] as const];
      const call = incoming({
        ...{ listener: 'psu', target: AUTHORIZE },
        ...('sessionOf' in more ? {} : { headers }),
      });
      let asked = 0;
      const { pipeline, taken } = aPipeline(() => ({ ...valid(), asked: ++asked }), {
        worlds: { of: () => createWorld(), ...more },
        sessionNamed,
      });
      const outgoing = await pipeline(call);
      expect([asked, taken, outgoing?.answer.status, outgoing?.exchange]).toEqual([0, [], 503, null]);
      expect(outgoing?.answer.header['retry-after']).toBe('5');
    },
  );

  it.each([
    ['of an isolated session', 's', 13],
    ['of no session', '', 17],
  ])(
    '%s teaches a ledger, which for that loses what is old where isolated ones have no room',
    async (_, name, left) => {
      const world = createWorld([], name);
      for (let i = 0; i < 16; i++) world.ledger.requestIds.putText(String(i), '{}');
      const { pipeline } = aPipeline(() => valid(), {
        worlds: { of: () => world, areCrowded: () => true },
      });
      await pipeline(incoming());
      expect(world.ledger.requestIds.size).toBe(left);
    },
  );

  it.each<[string, () => object | Promise<object>, number, readonly unknown[]]>([
    ['at once', () => ({ note: 'n' }), 200, [{ note: 'n' }]],
    ['later', async () => ({ note: 'n' }), 200, [{ note: 'n' }]],
    ['never', refuses, 503, []],
  ])(
    'has the long body of the payment that it reads, or ends in a 503: %s',
    async (_, bodyOf, status, given) => {
      const { certificate } = incoming().peer;
      const tpp = (typeof certificate === 'object' && tppOf(certificate)) || '';
      const body = { family: 'bankBodies', key: 'p', fact: { tpp, bytes: 3_000 } } as const;
      const world = createWorld([body]);
      const seen: unknown[] = [];
      const { pipeline, taken } = aPipeline(
        (_call, { stored }) => {
          seen.push(stored?.body);
          return valid();
        },
        { worlds: { of: () => world, bodyOf }, stance: () => 'observe' },
      );
      const read = (id: string) =>
        pipeline(incoming({ target: `/stdgroup/v1/payments/sepa-credit-transfers/${id}` }));
      expect((await read('p'))?.answer.status).toBe(status);
      expect(seen).toEqual(given);
      expect(taken).toHaveLength(given.length);
      await read('q');
      expect(seen).toEqual([...given, null]);
    },
  );

  it.each([
    ['a creation', { begin: refuses }, () => payment],
    ['a read', { assure: refuses }, incoming],
  ] as const)(
    'sends %s on only once it is recorded, or nothing is lost with it and the store is written to',
    async (_name, recorder, call) => {
      let sent = 0;
      const answer: Answerer['answer'] = async (_call, context) => {
        await context.begin?.();
        sent += 1;
        return valid();
      };
      const held = aPipeline(answer, { stance: () => 'observe', recorder: { ...KEEPS, ...recorder } });
      expect((await held.pipeline(call()))?.answer.status).toBe(503);
      expect([sent, held.taken, held.errors]).toEqual([0, [], []]);
    },
  );

  it.each([
    ['a creation', payment, 'beginning'],
    [
      'a deletion',
      incoming({ method: 'DELETE', target: '/stdgroup/v1/consents/VALID_CONSENT_ID' }),
      'beginning',
    ],
    [
      'what is no operation, by a method that may change something',
      incoming({ method: 'PATCH' }),
      'beginning',
    ],
    ['a read without the PSU, which the daily limit counts', reading(), 'beginning'],
    ['a read that the PSU is there for', reading(['PSU-IP-Address', '192.0.2.1']), 'assured'],
    ['a status', incoming(), 'assured'],
    ['the same by HEAD', { ...reading(['PSU-IP-Address', '192.0.2.1']), method: 'HEAD' }, 'assured'],
    ['a read without the PSU and without consent', withField(ACCOUNTS), 'beginning'],
    [
      'a read with two addresses',
      reading(['PSU-IP-Address', '192.0.2.1'], ['PSU-IP-Address', '']),
      'beginning',
    ],
    ['a read of nobody who is known', { ...incoming(), ...without }, 'beginning'],
    [
      'a read that may be taken for a deletion',
      withField(STATUS, 'X-HTTP-Method-Override', 'DELETE'),
      'beginning',
    ],
    ['the same by another name', withField(STATUS, 'x-method-override', 'DELETE'), 'beginning'],
    ['a read with a body', { ...incoming(), body: { text: '{}', size: 2 } }, 'beginning'],
    ['a read with a body that is not known', { ...incoming(), body: UNKNOWN_BODY }, 'beginning'],
    ['the page of the PSU, at the API', incoming({ target: AUTHORIZE }), 'beginning'],
    ['the page of the PSU', incoming({ target: AUTHORIZE, listener: 'psu' }), 'beginning'],
    ['what is no operation', incoming({ target: '/other', method: 'HEAD' }), 'beginning'],
    ['what a bank may take for a read', withField(`${ACCOUNTS}/`), 'beginning'],
    ['what a bank may take for a read, too', withField('/stdgroup/v1/card-accounts'), 'beginning'],
    ['what is asked of the server', incoming({ method: 'OPTIONS' }), 'beginning'],
  ])('has its beginning recorded only where something is lost with it: %s', async (_name, call, expected) => {
    const told: string[] = [];
    const recorder = {
      ...KEEPS,
      begin: async ({ fault }: Exchange) => void told.push(fault?.kind === 'unfinished' ? 'beginning' : ''),
      assure: async () => void told.push('assured'),
    };
    const answer: Answerer['answer'] = async (_call, context) => {
      await context.begin?.();
      return valid();
    };
    await aPipeline(answer, { stance: () => 'observe', recorder }).pipeline(call);
    expect(told).toEqual([expected]);
  });

  it.each([
    ['a creation', payment, ['begin', 'assured'], 'id-1'],
    ['a read', incoming(), ['assured', 'assured'], null],
  ])('is sent once more only while the store is written to: %s', async (_name, call, expected, exchange) => {
    const told: string[] = [];
    let fails = false;
    const recorder = {
      ...KEEPS,
      begin: async () => void told.push('begin'),
      assure: async () => {
        if (fails) return refuses();
        told.push('assured');
      },
    };
    let sent = 0;
    const answer: Answerer['answer'] = async (_call, context) => {
      for (let i = 0; i < 3; i++) {
        fails = i === 2;
        await context.begin?.();
        sent += 1;
      }
      return valid();
    };
    const held = aPipeline(answer, { stance: () => 'observe', recorder });
    const outgoing = await held.pipeline(call);
    expect([sent, told, held.errors]).toEqual([2, expected, []]);
    expect(outgoing).toMatchObject({ exchange, answer: { status: 500, source: 'gateway' } });
    expect(outgoing?.answer.body?.text).toMatch('The bank may have acted on this call');
  });

  it('has the beginning of a read recorded before the head of a streamed answer leaves, or it does not leave', async () => {
    const order: string[] = [];
    const answer: Answerer['answer'] = async (_call, context) => {
      await context.begin?.();
      const body = { text: '', size: 2, truncated: true } as const;
      return {
        ...valid(),
        wire: Readable.from([Buffer.from('{}')]),
        completed: Promise.resolve({ body, fault: null }),
      };
    };
    const begin = async () => void order.push('begun');
    const streamed = await aPipeline(answer, { recorder: { ...KEEPS, begin } }).pipeline(incoming());
    order.push('left');
    expect([order, streamed?.exchange, streamed?.answer.status]).toEqual([['begun', 'left'], 'id-1', 200]);
    const cut = await aPipeline(answer, { recorder: { ...KEEPS, begin: refuses } }).pipeline(incoming());
    expect(cut).toMatchObject({
      exchange: null,
      wire: undefined,
      answer: { status: 500, source: 'gateway' },
    });
  });

  it.each([
    ['a creation, which is on record as begun', payment, 'id-1'],
    ['a read, which is on no record', incoming(), null],
  ])(
    'ends in a 500 that says what may have happened where the bank was asked and its answer is not recorded: %s',
    async (_name, call, exchange) => {
      const answer: Answerer['answer'] = async (_call, context) => {
        await context.begin?.();
        return valid();
      };
      const { pipeline } = aPipeline(answer, {
        stance: () => 'observe',
        recorder: { ...KEEPS, take: refuses },
      });
      const outgoing = await pipeline(call);
      expect(outgoing).toMatchObject({ exchange, answer: { status: 500, source: 'gateway' } });
      expect(outgoing?.answer.body?.text).toMatch(
        `The bank may have acted on this call with X-Request-ID ${REQUEST_ID}`,
      );
      expect(outgoing?.answer.body?.text).not.toContain('consentStatus');
    },
  );

  it('keeps the end of each call that was begun, however many of callers who proved nothing the bank fails', async () => {
    const answer: Answerer['answer'] = async (_call, context) => {
      await context.begin?.();
      return { answer: anAnswer({ source: 'gateway', status: 502 }) };
    };
    const { pipeline, taken } = aPipeline(answer, { stance: () => 'observe' });
    for (let i = 0; i < 1_010; i++) await pipeline(incoming(without));
    expect(taken).toHaveLength(1_010);
  });

  it('ends in the refusal of the rules in stance enforce, and the answerer is not asked', async () => {
    let asked = 0;
    const { pipeline, taken } = aPipeline(() => {
      asked += 1;
      return valid();
    });
    const outgoing = await pipeline(incoming(without));
    expect([outgoing?.answer.status, outgoing?.answer.source, asked]).toEqual([401, 'rule', 0]);
    expect(outgoing?.findings.map(({ rule }) => rule)).toEqual(['certificate/presented']);
    expect(taken[0]?.judged.findings).toHaveLength(1);
  });

  it('goes on in stance observe, and hands the refusal to the answerer', async () => {
    let refused: unknown;
    const answer: Answerer['answer'] = (_call, { refusal }) => {
      refused = refusal;
      return valid();
    };
    const { pipeline } = aPipeline(answer, { stance: () => 'observe' });
    const outgoing = await pipeline(incoming(without));
    expect([outgoing?.answer.status, refused]).toEqual([200, expect.objectContaining({ status: 401 })]);
  });

  it('tells the client what was found before the answer, and the recorder all that was found', async () => {
    const { pipeline, taken } = aPipeline(() => ({
      answer: anAnswer({ body: { consentStatus: 'nonsense' } }),
    }));
    const outgoing = await pipeline(incoming());
    expect(outgoing?.findings).toEqual([]);
    expect(taken[0]?.judged.findings.map(({ rule }) => rule)).toContain('answers/consent-status-known');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('inside');
      },
    ],
    ['rejects', () => Promise.reject(new Error('inside'))],
  ] as [string, Answerer['answer']][])(
    'ends in a 500 of the gateway where the answerer %s',
    async (_name, answer) => {
      const { pipeline, taken, errors } = aPipeline(answer);
      const outgoing = await pipeline(incoming());
      expect(outgoing?.answer).toMatchObject({ status: 500, source: 'gateway' });
      expect(outgoing?.answer.body?.text).toContain('INTERNAL_SERVER_ERROR');
      expect(outgoing?.answer.body?.text).not.toContain('inside');
      expect([taken[0]?.exchange.fault?.kind, errors]).toEqual(['internal', [new Error('inside')]]);
    },
  );

  it('ends in a 503 where no source has an answer', async () => {
    const { pipeline, taken } = aPipeline(() => null);
    const outgoing = await pipeline(incoming());
    expect([outgoing?.answer.status, taken[0]?.exchange.fault?.kind]).toEqual([503, 'refused']);
  });

  it('ends without answer where the client is gone, and is recorded all the same', async () => {
    const { CLIENT_GONE_FAULT } = await import('../../src/gateway/faults.js');
    const { pipeline, taken } = aPipeline(valid);
    expect(await pipeline(incoming({ problem: CLIENT_GONE_FAULT }))).toBeNull();
    expect(taken[0]?.exchange).toMatchObject({ answer: null, fault: { kind: 'client-gone' } });
  });
});

const aStream = (end: () => Promise<{ body: null; fault: Fault | null }>) => async () => ({
  ...valid(),
  wire: Readable.from([Buffer.from('{}')]),
  completed: end(),
});
const broken = { body: null, fault: { kind: 'timeout', message: 'The bank is silent.' } } as const;
const fails = () => Promise.reject(new Error('a bug'));

describe('what a call holds while its answer is awaited is given back', () => {
  it.each<[string, Answerer['answer'], Partial<PipelineParts['recorder']>?]>([
    ['with the answer', async () => valid()],
    ['where no source has one', async () => null],
    ['where it fails', fails],
    [
      'where the client is gone',
      async () => ({ ...valid(), fault: { kind: 'client-gone', message: 'It is gone.' } }),
    ],
    ['where the answer cannot be recorded', async () => valid(), { take: refuses }],
    [
      'where it was held back',
      async (_call, context) => {
        await context.begin?.();
        return valid();
      },
      { begin: refuses },
    ],
    ['at the end of a stream', aStream(async () => ({ body: null, fault: null }))],
    ['where a stream breaks off', aStream(async () => broken)],
    ['where the end of a stream fails', aStream(fails)],
    ['where the end of a stream cannot be recorded', aStream(async () => broken), { take: refuses }],
  ])('%s', async (_, answer, recorder) => {
    const world = createWorld();
    const { pipeline } = aPipeline(answer, { world, recorder: { ...KEEPS, ...recorder } });
    const way = pipeline(incoming());
    expect(world.ledger.underWay.size).toBe(1);
    const wire = (await way)?.wire;
    if (wire instanceof Readable) await finished(wire.resume()).catch(() => {});
    expect([...world.ledger.underWay]).toEqual([]);
  });

  it('with what it changed in the living bank, where the answer cannot be recorded', async () => {
    const world = createWorld();
    const fact = { scenario: 'SCA_OK', scope: null, psu: null, setAt: NOW } as const;
    const changes = [{ family: 'bankOutcomes', key: 'one', fact }] as const;
    const seen: number[] = [];
    const { pipeline } = aPipeline(() => ({ ...valid(), changes }), {
      world,
      recorder: {
        ...KEEPS,
        take: (_exchange, _judged, kept = [], onLost) => {
          seen.push(
            world.bank.bankOutcomes.size,
            kept.filter((one) => 'family' in one && one.family === 'bankOutcomes').length,
          );
          onLost?.();
          return refuses();
        },
      },
    });
    await pipeline(incoming());
    expect([seen, world.bank.bankOutcomes.size]).toEqual([[1, 1], 0]);
  });

  it('where it is a refusal of which too many come to be kept', async () => {
    const world = createWorld();
    const refusal = async () => ({ answer: anAnswer({ source: 'gateway', status: 429 }) });
    const certificate = { ...aCertificate(), chain: { ...aCertificate().chain, trusted: false } };
    const { pipeline, taken } = aPipeline(refusal, { world, stance: () => 'observe' });
    for (let i = 0; i < 1_010; i++) await pipeline(incoming({ peer: { ...incoming().peer, certificate } }));
    expect([taken.length, world.ledger.underWay.size]).toEqual([1_000, 0]);
  });
});
