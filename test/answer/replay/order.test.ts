/** Which of several recorded answers to one call is given: their order, the life of what is read, and the end. */
import { describe, expect, it } from 'vitest';
import type { CallParts } from '../../builders.js';
import { aReplay, numbered, type Recorded } from './a-replay.js';

const id = { consentId: 'C' };
const status: CallParts = { operation: 'consents.status', params: id };
const remove: CallParts = { operation: 'consents.delete', params: id };
const authorise: CallParts = { operation: 'consents.authorisations.create', params: id };
const accounts: CallParts = {
  operation: 'accounts.list',
  headers: { Authorization: 'Bearer TOKEN', 'Consent-Id': 'C' },
};
const form = { grant_type: 'authorization_code', client_id: 'A', code_verifier: 'v' };
const token: CallParts = { operation: 'oauth.token', form: { ...form, code: 'CODE' } };
const funds: CallParts = { operation: 'funds-confirmations.create', body: { x: 1 } };
const other: CallParts = { operation: 'funds-confirmations.create', body: { x: 2 } };

const GIVEN = { access_token: 'TOKEN', scope: 'AIS:C' };
const reads = (n: number | string): Recorded => ({ call: status, answer: numbered(n) });
const removed: Recorded = { call: remove, answer: { status: 204 } };
const exchanged: Recorded = { call: token, answer: { body: GIVEN } };
const lists = (n: number): Recorded => ({ call: accounts, answer: numbered(n) });

/** What was answered, call by call: the number, the status, or the kind of the miss. */
async function play(
  recorded: readonly Recorded[],
  calls: readonly CallParts[],
  settings: Parameters<typeof aReplay>[1] = {},
): Promise<unknown[]> {
  const { ask } = aReplay(recorded, settings);
  const seen: unknown[] = [];
  for (const call of calls) {
    const one = await ask(call);
    seen.push(one === null ? 'handed on' : (one.miss?.kind ?? one.json?.n ?? one.status));
  }
  return seen;
}

interface Row {
  readonly recorded: readonly Recorded[];
  readonly calls: readonly CallParts[];
  readonly seen: readonly unknown[];
}

const rows: Readonly<Record<string, Row>> = {
  'equal calls get their answers in the recorded order': {
    recorded: [reads(1), reads(2), reads(3)],
    calls: [status, status, status],
    seen: [1, 2, 3],
  },
  'the order of different calls is free': {
    recorded: [
      { call: funds, answer: numbered(1) },
      { call: other, answer: numbered(2) },
    ],
    calls: [other, funds],
    seen: [2, 1],
  },
  'a deletion moves the reads on, although earlier answers are left': {
    recorded: [reads(1), reads(2), removed, reads(3)],
    calls: [status, remove, status],
    seen: [1, 204, 3],
  },
  'polled more often than recorded, the state before the deletion stays true': {
    recorded: [reads(1), removed, reads(2)],
    calls: [status, status, status, remove, status],
    seen: [1, 1, 1, 204, 2],
  },
  'after the last state an answer more is a miss': {
    recorded: [reads(1), removed, reads(2)],
    calls: [remove, status, status],
    seen: [204, 2, 'used-up'],
  },
  'polled more often than recorded, the state before the deletion stays true, although nothing was read after it':
    {
      recorded: [exchanged, reads('valid'), removed],
      calls: [token, status, status, status, remove, status],
      seen: [200, 'valid', 'valid', 'valid', 204, 'too-late'],
    },
  'a read that was recorded after the deletion only comes too early before it': {
    recorded: [{ call: accounts, answer: numbered(0) }, removed, reads(1)],
    calls: [accounts, status, remove, status],
    seen: [0, 'too-early', 204, 1],
  },
  'a read that was recorded before the deletion only comes too late after it': {
    recorded: [reads(1), removed],
    calls: [remove, status],
    seen: [204, 'too-late'],
  },
  'a read of what this run has not touched yet is entered wherever it was recorded first': {
    recorded: [removed, reads(1)],
    calls: [status],
    seen: [1],
  },
  'a refused write moves nothing on': {
    recorded: [reads(1), { call: remove, answer: { status: 403 } }, reads(2)],
    calls: [status, remove, status],
    seen: [1, 403, 2],
  },
  'the token shows that the SCA ended, where nothing else does': {
    recorded: [reads('received'), exchanged, reads('valid')],
    calls: [status, status, token, status],
    seen: ['received', 'received', 200, 'valid'],
  },
  'one more token for what is authorised already changes nothing that is read': {
    recorded: [exchanged, exchanged, exchanged, lists(1), lists(2)],
    calls: [token, accounts, token, accounts],
    seen: [200, 1, 200, 2],
  },
  'a token after a new authorisation changes what is read again': {
    recorded: [exchanged, reads(1), { call: authorise, answer: { status: 201 } }, exchanged, reads(2)],
    calls: [token, status, status, authorise, status, token, status],
    seen: [200, 1, 1, 201, 1, 200, 2],
  },
  'in one state, answers of the part that the run is in come first, then those before it, then those after': {
    recorded: [exchanged, reads(1), reads(2), exchanged, reads(3), exchanged, reads(4), exchanged, reads(5)],
    calls: [token, token, token, status, status, status, status, status, status],
    seen: [200, 200, 200, 4, 3, 1, 2, 5, 'used-up'],
  },
  'consents live on their own': {
    recorded: [
      reads(1),
      { call: { ...status, params: { consentId: 'D' } }, answer: numbered('D') },
      removed,
      reads(2),
    ],
    calls: [remove, { ...status, params: { consentId: 'D' } }, status],
    seen: [204, 'D', 2],
  },
};

describe('in a replay', () => {
  it.each(Object.entries(rows))('%s', async (_, { recorded, calls, seen }) => {
    expect(await play(recorded, calls)).toEqual(seen);
  });

  it('the preset loose asks for no order of writes', async () => {
    const recorded = [reads(1), removed, reads(2)];
    expect(await play(recorded, [remove, status, status], { match: 'loose' })).toEqual([204, 1, 2]);
  });

  it('a payment is authorised by its own SCA', async () => {
    const payment = { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers', paymentId: 'P' };
    const poll: CallParts = { operation: 'payments.status', params: payment };
    const recorded: Recorded[] = [
      { call: poll, answer: numbered('RCVD') },
      { call: token, answer: { body: { ...GIVEN, scope: 'PIS:P' } } },
      { call: poll, answer: numbered('ACSC') },
    ];
    expect(await play(recorded, [poll, poll, token, poll])).toEqual(['RCVD', 'RCVD', 200, 'ACSC']);
  });
});

const way = (scenario: string, outcome: string): Recorded => ({
  call: {
    operation: 'oauth.authorize',
    query: `scope=AIS:C&redirect_uri=https%3A%2F%2Ftpp.example%2Fback&state=s&response_type=code&scenario=${scenario}`,
  },
  answer: { status: 302, headers: { Location: `https://tpp.example/back?${outcome}&state=s` } },
});

describe('the outcome of SCA', () => {
  const failed = way('SCA_FAILED', 'error=access_denied');
  const done = way('SCA_OK', 'code=CODE');

  it('moves the reads on', async () => {
    const calls = [status, status, done.call, status];
    expect(await play([reads(1), done, reads(2)], calls)).toEqual([1, 1, 302, 2]);
  });

  it('of a second SCA that ends well changes nothing any more', async () => {
    const recorded = [done, reads(1), way('SCA_OK', 'code=OTHER'), reads(2)];
    expect(await play(recorded, [done.call, status, status])).toEqual([302, 1, 2]);
  });

  it('changes what is read when it ends well after a failure', async () => {
    const recorded = [failed, reads('received'), done, reads('valid')];
    const calls = [failed.call, status, status, done.call, status];
    expect(await play(recorded, calls)).toEqual([302, 'received', 'received', 302, 'valid']);
  });
});

describe('an SCA that the recording shows by its token only', () => {
  const authorised = (id: string): Recorded[] => [
    { call: { ...status, params: { consentId: id } }, answer: numbered(`${id} before`) },
    {
      call: { operation: 'oauth.token', form: { ...form, code: `CODE-${id}` } },
      answer: { body: { access_token: `T-${id}`, scope: `AIS:${id}` } },
    },
    { call: { ...status, params: { consentId: id } }, answer: numbered(`${id} after`) },
  ];
  const recorded = ['A', 'B', 'C'].flatMap(authorised);
  const authorize = (id: string): CallParts => ({
    operation: 'oauth.authorize',
    query: `scope=AIS:${id}&redirect_uri=https%3A%2F%2Ftpp.example%2Fback&state=${id}&response_type=code`,
  });

  it.each([
    ['in the recorded order', ['A', 'B', 'C']],
    ['in another order', ['C', 'A', 'B']],
  ])('gives each consent its own code, %s', async (_, ids) => {
    const { ask } = aReplay(recorded);
    for (const id of ids) {
      const consent = { ...status, params: { consentId: id } };
      expect((await ask(consent))?.json.n).toBe(`${id} before`);
      const seen = await ask(authorize(id));
      expect(seen?.answer.header.location).toBe(`https://tpp.example/back?code=CODE-${id}&state=${id}`);
      expect((await ask(consent))?.json.n).toBe(`${id} after`);
    }
  });

  it('is given once: another one is a miss, the same one again goes the same way', async () => {
    const { ask } = aReplay(authorised('A'));
    expect((await ask(authorize('A')))?.status).toBe(302);
    expect((await ask(authorize('A')))?.answer.header.location).toContain('code=CODE-A');
    const other = await ask({ ...authorize('A'), query: `${authorize('A').query}2` });
    expect(other?.miss?.kind).toBe('not-recorded');
  });
});

describe('two authorisations under way whose token answers have no scope', () => {
  const query = (scope: string) =>
    `scope=${scope}&redirect_uri=https%3A%2F%2Ftpp.example%2Fback&state=${scope}&response_type=code`;
  const authorize = (scope: string): CallParts => ({ operation: 'oauth.authorize', query: query(scope) });
  const away = (scope: string): Recorded => ({
    call: authorize(scope),
    answer: { status: 302, headers: { Location: 'https://bank.example/login' } },
  });
  const gives = (name: string, given = 'authorization_code'): Recorded => {
    const what = given === 'refresh_token' ? { refresh_token: `R-${name}` } : { code: `CODE-${name}` };
    const tokens = given === 'refresh_token' ? [`T-${name}2`, `R-${name}2`] : [`T-${name}`, `R-${name}`];
    return {
      call: { operation: 'oauth.token', form: { ...form, grant_type: given, ...what } },
      answer: { body: { access_token: tokens[0], refresh_token: tokens[1], token_type: 'Bearer' } },
    };
  };
  const uses = (name: string, id: string): Recorded => ({
    call: { operation: 'accounts.list', headers: { Authorization: `Bearer T-${name}`, 'Consent-Id': id } },
    answer: numbered(id),
  });
  const codeOf = (location: string | undefined) => new URL(location ?? '').searchParams.get('code');

  it.each([
    ['its Consent-Id', [gives('B'), gives('A'), uses('A', 'A'), uses('B', 'B')]],
    [
      'that of a token that was refreshed first',
      [gives('B'), gives('A'), gives('B', 'refresh_token'), uses('B2', 'B'), uses('A', 'A')],
    ],
    ['what is left, where the other is known', [gives('B'), gives('A'), uses('B', 'B')]],
  ])('are told apart by %s', async (_, rest) => {
    const { ask } = aReplay([away('AIS:A'), away('AIS:B'), ...rest]);
    expect(codeOf((await ask(authorize('AIS:B')))?.answer.header.location)).toBe('CODE-B');
    expect(codeOf((await ask(authorize('AIS:A')))?.answer.header.location)).toBe('CODE-A');
    for (const { call, answer } of rest) expect((await ask(call))?.json).toEqual(answer?.body);
  });

  it('of which one is for a payment: the payment of the path', async () => {
    const poll: CallParts = {
      operation: 'payments.status',
      params: { paymentId: 'P' },
      headers: { Authorization: 'Bearer T-P' },
    };
    const recorded = [
      away('AIS:A'),
      away('PIS:P'),
      gives('P'),
      gives('A'),
      { call: poll, answer: numbered(1) },
    ];
    const { ask } = aReplay(recorded);
    expect(codeOf((await ask(authorize('AIS:A')))?.answer.header.location)).toBe('CODE-A');
    expect(codeOf((await ask(authorize('PIS:P')))?.answer.header.location)).toBe('CODE-P');
  });
});

describe('after the last recorded answer', () => {
  const recorded = [
    { call: funds, answer: numbered(1) },
    { call: funds, answer: numbered(2) },
  ];
  const calls = [funds, funds, funds, funds];

  it.each([
    ['error', false, [1, 2, 'used-up', 'used-up']],
    ['repeat', false, [1, 2, 2, 2]],
    ['next', false, [1, 2, 'used-up', 'used-up']],
    ['error', true, [1, 2, 'used-up', 'used-up']],
    ['repeat', true, [1, 2, 2, 2]],
    ['next', true, [1, 2, 'handed on', 'handed on']],
  ] as const)('%s, another source following: %s', async (afterLast, hasNext, seen) => {
    expect(await play(recorded, calls, { afterLast, parts: { hasNext } })).toEqual(seen);
  });

  it('each operation may have its own way', async () => {
    const settings = { overrides: { 'consents.status': { afterLast: 'repeat' } } } as const;
    const both = [...recorded, reads(1)];
    expect(await play(both, [status, status, ...calls], settings)).toEqual([
      1,
      1,
      1,
      2,
      'used-up',
      'used-up',
    ]);
  });

  it('what was never recorded is handed on whatever the setting', async () => {
    const { ask } = aReplay(recorded, { parts: { hasNext: true } });
    expect(await ask(status)).toBeNull();
  });

  it('the report counts how often each exchange answered', async () => {
    const { ask, report } = aReplay(recorded, { afterLast: 'repeat' });
    for (const call of [...calls, status]) await ask(call);
    expect(report().used.map(({ exchange, times }) => [exchange, times])).toEqual([
      ['E1', 1],
      ['E2', 3],
    ]);
    expect(report()).toMatchObject({
      exchanges: 2,
      unused: [],
      misses: 1,
      missed: [{ kind: 'not-recorded' }],
    });
  });
});
