/** Misses: of every kind, with what they name, in the form that the client of the operation reads. */
import { describe, expect, it } from 'vitest';
import type { MissKind } from '../../../src/answer/replay/miss.js';
import { type CallParts, fingerprint } from '../../builders.js';
import { aReplay, numbered, type Recorded, type Settings } from './a-replay.js';

const consent = { consentId: 'C' };
const status: CallParts = { operation: 'consents.status', params: consent };
const read: CallParts = { operation: 'consents.read', params: consent };
const remove: CallParts = { operation: 'consents.delete', params: consent };
const create: CallParts = {
  operation: 'consents.create',
  body: { frequencyPerDay: 4, validUntil: '2026-08-01' },
};
const form = { grant_type: 'authorization_code', client_id: 'A', code_verifier: 'v', code: 'CODE' };
const token: CallParts = { operation: 'oauth.token', form };
const accounts = (bearer: string): CallParts => ({
  operation: 'accounts.list',
  headers: { Authorization: `Bearer ${bearer}`, 'Consent-Id': 'C' },
});
const given: Recorded = { call: create, answer: { status: 201, body: { consentId: 'C' } } };
const removed: Recorded = { call: remove, answer: { status: 204 } };
const exchanged: Recorded = { call: token, answer: { body: { access_token: 'TOKEN', scope: 'AIS:C' } } };

interface Row {
  readonly recorded: readonly Recorded[];
  /** The last one is missed. */
  readonly calls: readonly CallParts[];
  readonly kind: MissKind;
  readonly text: string;
  readonly closest?: string;
  readonly differences?: readonly (readonly [place: string, expected: string, got: string])[];
  readonly needs?: string;
  readonly settings?: Settings;
}

const rows: Readonly<Record<string, Row>> = {
  'names what there is, the most frequent first': {
    recorded: [given, { call: status }, { call: status }],
    calls: [read],
    kind: 'not-recorded',
    text: 'The recording has no GET /stdgroup/v1/consents/C. It has GET /stdgroup/v1/consents/C/status, POST /stdgroup/v1/consents.',
  },
  'says of an empty recording that it is empty': {
    recorded: [{ call: status, answer: null }],
    calls: [status],
    kind: 'not-recorded',
    text: 'The recording has no GET /stdgroup/v1/consents/C/status. It has no call at all.',
  },
  'names the nearest of several and each difference': {
    recorded: [
      { call: { ...create, body: { frequencyPerDay: 1, validUntil: '2026-08-01', x: 1 } } },
      { call: create },
    ],
    calls: [{ ...create, body: { frequencyPerDay: 3, validUntil: '2026-08-01' } }],
    kind: 'differs',
    text: 'The recording has no such POST /stdgroup/v1/consents. Closest is POST /stdgroup/v1/consents (exchange E2): body frequencyPerDay: expected 4, found 3.',
    closest: 'E2',
    differences: [['body frequencyPerDay', '4', '3']],
  },
  'names what is missing and what is too much': {
    recorded: [{ call: create }],
    calls: [{ ...create, body: { validUntil: '2026-08-01', y: true } }],
    kind: 'differs',
    text: 'The recording has no such POST /stdgroup/v1/consents. Closest is POST /stdgroup/v1/consents (exchange E1): body frequencyPerDay: expected 4, found absent; body y: expected absent, found true.',
    closest: 'E1',
    differences: [
      ['body frequencyPerDay', '4', 'absent'],
      ['body y', 'absent', 'true'],
    ],
  },
  'tells what a call with a token from elsewhere needed first, and shows no token': {
    recorded: [exchanged, { call: accounts('TOKEN'), answer: numbered(1) }],
    calls: [token, accounts('secret')],
    kind: 'differs',
    text: `The recording has no such GET /stdgroup/v1/accounts. Closest is GET /stdgroup/v1/accounts (exchange E2): header authorization: expected a token for AIS:C, found bearer ${fingerprint('secret')}. POST /stdgroup/v1/token (exchange E1) gave it in this run: send what it gave.`,
    closest: 'E2',
    differences: [['header authorization', 'a token for AIS:C', `bearer ${fingerprint('secret')}`]],
    needs: 'POST /stdgroup/v1/token (exchange E1) gave it in this run: send what it gave.',
    settings: { parts: { fingerprint } },
  },
  'tells which call of the recording gives the id, where this run has not made it': {
    recorded: [given, { call: { ...status, params: { consentId: 'D' } } }, { call: read }],
    calls: [{ ...read, params: { consentId: 'D' } }],
    kind: 'differs',
    text: 'The recording has no such GET /stdgroup/v1/consents/D. Closest is GET /stdgroup/v1/consents/C (exchange E3): path consentId: expected C, found D. In the recording POST /stdgroup/v1/consents (exchange E1) comes first and gives it; this run has not made that call.',
    closest: 'E3',
    differences: [['path consentId', 'C', 'D']],
    needs:
      'In the recording POST /stdgroup/v1/consents (exchange E1) comes first and gives it; this run has not made that call.',
  },
  'says that the recording itself lacks the call that gives the token': {
    recorded: [{ call: accounts('fp_of_elsewhere') }, exchanged],
    calls: [token, accounts('TOKEN')],
    kind: 'differs',
    text: 'The recording has no such GET /stdgroup/v1/accounts. Closest is GET /stdgroup/v1/accounts (exchange E1): header authorization: expected bearer the recorded one, found bearer another one. The recording has no POST /token before this call that gives it.',
    closest: 'E1',
    differences: [['header authorization', 'bearer the recorded one', 'bearer another one']],
    needs: 'The recording has no POST /token before this call that gives it.',
  },
  'says that all answers were given': {
    recorded: [{ call: status }],
    calls: [status, status],
    kind: 'used-up',
    text: 'All recorded answers to GET /stdgroup/v1/consents/C/status were given (the last is exchange E1); this is one call too many. With --after-last repeat it would get the last one again.',
    closest: 'E1',
  },
  'names the write that comes before the call': {
    recorded: [{ call: status }, removed, { call: read }],
    calls: [status, read],
    kind: 'too-early',
    text: 'The recording has GET /stdgroup/v1/consents/C (exchange E3), but not at this point. In the recording DELETE /stdgroup/v1/consents/C (exchange E2) comes before this call; this run has not made it.',
    closest: 'E3',
    needs:
      'In the recording DELETE /stdgroup/v1/consents/C (exchange E2) comes before this call; this run has not made it.',
  },
  'names the write that comes after the call': {
    recorded: [{ call: status }, removed],
    calls: [remove, status],
    kind: 'too-late',
    text: 'The recording has GET /stdgroup/v1/consents/C/status (exchange E1), but not at this point. In the recording this call comes only before DELETE /stdgroup/v1/consents/C (exchange E2), which this run has made already.',
    closest: 'E1',
    needs:
      'In the recording this call comes only before DELETE /stdgroup/v1/consents/C (exchange E2), which this run has made already.',
  },
};

describe('a miss', () => {
  it.each(Object.entries(rows))('%s', async (_, { recorded, calls, kind, settings, ...wanted }) => {
    const { ask } = aReplay(recorded, settings);
    const seen = [];
    for (const call of calls) seen.push(await ask(call));
    const miss = seen.at(-1)?.miss;
    expect(seen.slice(0, -1).map((one) => one?.miss)).toEqual(calls.slice(1).map(() => null));
    expect(miss?.text).toBe(wanted.text);
    expect(miss).toMatchObject({ kind, exchange: 'R1', needs: wanted.needs ?? null, handedOn: false });
    expect(miss?.closest?.exchange).toBe(wanted.closest);
    expect(miss?.closest?.differences.map((one) => [one.place, one.expected, one.got]) ?? []).toEqual(
      wanted.differences ?? [],
    );
  });

  const forms: readonly (readonly [name: string, call: CallParts, type: string, body: object])[] = [
    [
      'tppMessages',
      read,
      'application/json',
      { tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] },
    ],
    [
      'a problem document where one is asked for',
      { ...read, headers: { Accept: 'application/problem+json' } },
      'application/problem+json',
      { code: 'RESOURCE_UNKNOWN', title: 'Not in the recording' },
    ],
    ['an error of OAuth', token, 'application/json', { error: 'invalid_request' }],
  ];
  it.each(forms)('comes as %s, with the explanation beside it', async (_, call, type, body) => {
    const seen = await aReplay([{ call: status }]).ask(call);
    expect(seen?.status).toBe(404);
    expect(seen?.answer.header['content-type']).toContain(type);
    expect(seen?.json).toMatchObject({ ...body, sandgate: { miss: 'not-recorded', text: seen?.miss?.text } });
  });

  it('of a browser is a page that says the same', async () => {
    const call: CallParts = { operation: 'oauth.authorize', query: 'scope=AIS:C&state=<script>' };
    const seen = await aReplay([{ call: status }]).ask(call);
    expect(seen?.answer.header['content-type']).toContain('text/html');
    expect(seen?.text).toContain('The recording has no GET /stdgroup/authorization/authorize/');
    expect(seen?.text).not.toContain('<script>');
  });

  it('is kept among the newest five hundred, all of them counted', async () => {
    const { ask, report } = aReplay([{ call: status }]);
    for (let i = 0; i < 510; i++) await ask({ ...read, id: `R${i}` });
    const { misses, missed } = report();
    expect([misses, missed.length, missed[0]?.exchange]).toEqual([510, 500, 'R10']);
  });
});
