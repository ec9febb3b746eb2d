/** What a judge remembers changes no verdict, is bounded, and goes with the judge. */
import { describe, expect, it } from 'vitest';
import { Answer, closeCall, keepContent } from '../../src/exchange/index.js';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, defineRule, type Outcome, RULES } from '../../src/rules/index.js';
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
    dependsOn: ['answer.content', 'call.host'],
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

describe('a rule that says what it depends on', () => {
  it('is asked once of the same content, and again where the rest is another', () => {
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

describe('a judge', () => {
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
