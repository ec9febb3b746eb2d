/** What a judge remembers changes no verdict, is bounded, and goes with the judge. */
import { describe, expect, it } from 'vitest';
import {
  Answer,
  type Content,
  closeCall,
  type Exchange,
  type HeaderList,
  keepContent,
} from '../../src/exchange/index.js';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, defineRule, type Judge, type Outcome, RULES } from '../../src/rules/index.js';
import { HEADERS, type OperationId } from '../../src/spec/index.js';
import { aCall, anExchange, type CallParts, fingerprint, judgeOptions, NOW } from '../builders.js';
import { JOURNEY } from './journey.js';

function aJudge(rules = RULES) {
  return createJudge({ rules, options: judgeOptions(), fingerprint });
}

/** A rule on answers that counts how often it is asked. */
function counting(outcome: (host: string | undefined) => Outcome = () => true) {
  const asked: string[] = [];
  const rule = defineRule({
    id: 'answers/some-id',
    statement: 'It is so',
    sources: ['BG'],
    judges: 'aspsp',
    severity: { sandbox: 'should', production: 'should' },
    appliesTo: 'all',
    needs: ['bank-success'],
    looksAt: 'answer',
    why: 'It must.',
    fix: 'Do it.',
    examples: { complies: 'so', violates: 'not so' },
    check: ({ call }) => {
      asked.push(call.header.host ?? '');
      return outcome(call.header.host);
    },
  });
  return { rule, asked };
}

const { answer } = anExchange({ call: { operation: 'accounts.list' }, answer: { body: { accounts: [] } } });
if (answer !== null) keepContent(answer.content);
const exchangeAt = (host: string, given: Answer | null = answer) =>
  closeCall(aCall({ operation: 'accounts.list', headers: { host } }), given, { total: 1, answerer: 1 });

describe('a rule that looks at the answer alone', () => {
  it('is asked once of the same content, and again where the host is another', () => {
    const { rule, asked } = counting((host) => host === 'a' || { place: 'answer', expected: 'a' });
    const judge = aJudge([rule]);
    const found = (host: string) => judge.judgeExchange(exchangeAt(host), createLedger()).findings.length;
    expect([found('a'), found('a'), found('b'), found('b'), found('a')]).toEqual([0, 0, 1, 1, 0]);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('is asked of its needs each time: they are no part of what is remembered', () => {
    const { rule, asked } = counting();
    const judge = aJudge([rule]);
    const verdictOf = (given: Answer | null) =>
      judge.judgeExchange(exchangeAt('a', given), createLedger()).verdicts[rule.id];
    expect(verdictOf(answer)).toBe('complied');
    const failed = new Answer('upstream', 500, [], null, answer?.content);
    expect(verdictOf(failed)).toBeUndefined();
    expect(asked).toEqual(['a']);
  });

  it('begins anew with another judge', () => {
    const { rule, asked } = counting();
    for (let i = 0; i < 2; i++) aJudge([rule]).judgeExchange(exchangeAt('a'), createLedger());
    expect(asked).toEqual(['a', 'a']);
  });
});

/** A rule on heads that counts how often it is asked. */
function countingHeads() {
  const asked: (string | undefined)[] = [];
  const rule = defineRule({
    id: 'requests/some-id',
    statement: 'It is so',
    sources: ['BG'],
    appliesTo: 'all',
    looksAt: 'head',
    why: 'It must.',
    fix: 'Do it.',
    examples: { complies: 'so', violates: 'not so' },
    check: ({ call }) => {
      const { accept } = call.header;
      asked.push(accept);
      return accept !== 'text/html' || { place: 'header Accept', expected: 'JSON' };
    },
  });
  return { judge: aJudge([...RULES.filter(({ scope }) => scope === 'connection'), rule]), rule, asked };
}

describe('a rule that looks at the head alone', () => {
  const { connection, certificate } = aCall();
  const callWith = (
    headers: Record<string, string>,
    at = NOW,
    over: CallParts = { connection, certificate },
  ) => aCall({ operation: 'accounts.list', headers, at, ...over });

  it('is asked once of heads that differ in ids, tokens and what the interface does not know', () => {
    const { judge, rule, asked } = countingHeads();
    for (const one of ['a', 'b', 'c']) {
      const free = {
        'X-Request-ID': one,
        Authorization: `Bearer ${one}`,
        'Consent-Id': one,
        traceparent: one,
      };
      const { verdicts } = judge.judgeCall(callWith({ Accept: 'text/plain', ...free }), createLedger());
      expect(verdicts[rule.id]).toBe('complied');
    }
    expect(asked).toEqual(['text/plain']);
  });

  it('is asked again of another head, of a head that it found fault with, and in another second', () => {
    const { judge, asked } = countingHeads();
    const found = (headers: Record<string, string>, at?: number) =>
      judge.judgeCall(callWith(headers, at), createLedger()).findings.length;
    expect([found({ Accept: 'a' }), found({ Accept: 'text/html' }), found({ Accept: 'text/html' })]).toEqual([
      0, 1, 1,
    ]);
    expect([found({ Accept: 'a' }), found({ Accept: 'a', 'PSU-ID': 'p' }), found({})]).toEqual([0, 0, 0]);
    expect([found({}), found({}, NOW + 1_000)]).toEqual([0, 0]);
    expect(asked).toEqual(['a', 'text/html', 'text/html', 'a', undefined, undefined]);
  });

  it('is asked once of calls over connections that a file of others tells nothing of', () => {
    const { judge, asked } = countingHeads();
    const unseen = (): CallParts => ({
      connection: { address: 'unknown', tls: 'not-observed' },
      certificate: 'not-observed',
    });
    for (const one of ['a', 'b'])
      judge.judgeCall(callWith({ Accept: 'text/plain', 'X-Request-ID': one }, NOW, unseen()), createLedger());
    expect(asked).toEqual(['text/plain']);
  });
});

/** Only of a head without fault anything is remembered. */
const FAULTLESS = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-IP-Address': '192.0.2.1' };
const NAMES = ['Accept', 'Authorization', 'Consent-Id', ...Object.values(HEADERS).map(({ name }) => name)];
const VALUES = [
  ...['', 'true', 'a', 'application/json', '10.0.0.7', '192.0.2.1', 'Bearer t', 'x'.repeat(600)],
  ...['http://tpp.example/cb', 'https://tpp.example/cb', 'https://tpp.example/cb#x'],
];

describe('a judge', () => {
  it.each<OperationId>(['accounts.list', 'consents.create'])(
    'finds the same after another head over a connection as over a new one: %s',
    (operation) => {
      const judge = aJudge();
      const ledger = createLedger();
      const { connection, certificate } = aCall();
      const found = (headers: Record<string, string>, over: CallParts) =>
        judge.judgeCall(
          aCall({ operation, certificate, headers: { ...FAULTLESS, ...headers }, ...over }),
          ledger,
        );
      for (const name of NAMES)
        for (const before of VALUES)
          for (const value of VALUES) {
            found({ [name]: before }, { connection });
            expect(found({ [name]: value }, { connection })).toEqual(found({ [name]: value }, {}));
          }
    },
  );

  it('finds the same of a content that came with another answer, or to another call, as of a new one', () => {
    const links = {
      self: { href: 'https://bank.example/stdgroup/v1/payments/sepa-credit-transfers/P' },
      status: { href: '/stdgroup/v1/payments/x-pay/P/status' },
    };
    const contents: Content[] = [
      { kind: 'json', value: { transactionStatus: 'RCVD', _links: links } },
      { kind: 'json', value: { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] } },
      { kind: 'opaque' },
    ];
    contents.forEach(keepContent);
    const calls = [
      {},
      { method: 'HEAD' },
      { params: { paymentProduct: 'x-pay' } },
      { headers: { host: 'bank.example' } },
    ].map((parts: CallParts) => aCall({ operation: 'payments.status', ...parts }));
    const given: [Answer['source'], number, HeaderList, Exchange['fault']?][] = [
      ['upstream', 200, []],
      ['upstream', 200, [['Content-Type', 'text/html']]],
      ['upstream', 201, []],
      ['upstream', 201, [['Location', 'ftp://elsewhere']]],
      ['upstream', 403, []],
      ['upstream', 403, [['Content-Type', 'text/html']]],
      ['gateway', 200, []],
      ['replay', 200, []],
      ['replay', 200, [], { kind: 'unfinished', message: 'It is not known.' }],
    ];
    const used = aJudge();
    const found = (judge: Judge, exchange: Exchange) => judge.judgeExchange(exchange, createLedger());
    for (const content of contents) {
      const exchanges = calls.flatMap((call) =>
        given.map(([source, status, headers, fault]) =>
          closeCall(
            call,
            new Answer(source, status, headers, null, content),
            { total: 1, answerer: 1 },
            fault,
          ),
        ),
      );
      const anew = exchanges.map((exchange) => found(aJudge(), exchange));
      for (const before of exchanges)
        for (const [i, exchange] of exchanges.entries()) {
          found(used, before);
          expect(found(used, exchange)).toEqual(anew[i]);
        }
    }
  });

  const exchanges = JOURNEY.map(({ call, answer: given }, i) => {
    const parts: CallParts = { at: NOW + i * 2_000, ...call };
    return anExchange({ call: parts, answer: given ?? {} });
  });

  it('that has judged all of it before finds the same as one that has not', () => {
    const used = aJudge();
    for (const exchange of exchanges) used.judgeExchange(exchange, createLedger());
    for (const exchange of exchanges)
      expect(used.judgeExchange(exchange, createLedger())).toEqual(
        aJudge().judgeExchange(exchange, createLedger()),
      );
  });

  it('gives what it judged before the answer and with it as one, and the same two as the same one', () => {
    const judge = aJudge();
    const [exchange] = exchanges as [ReturnType<typeof anExchange>];
    const before = judge.judgeCall(exchange.call, createLedger());
    const added = judge.judgeExchange(exchange, createLedger());
    const both = () => judge.judgeExchange(exchange, createLedger(), before);
    expect(both().verdicts).toEqual({ ...before.verdicts, ...added.verdicts });
    expect(both().findings).toEqual([...before.findings, ...added.findings]);
    expect(both().verdicts).toBe(both().verdicts);
  });
});
