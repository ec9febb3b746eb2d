/** A rule's test is a table: cases that comply, that violate, that it does not judge. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/exchange/index.js';
import { createLedger, type LedgerState } from '../../src/ledger/index.js';
import { judgeByRule } from '../../src/rules/judge-by-rule.js';
// Past the index: a rule's own test does not load all other rules.
import { LOOKED_AT } from '../../src/rules/memory.js';
import type { JudgeOptions, Rule, Violation } from '../../src/rules/rule.js';
import { dialectOf } from '../../src/spec/index.js';
import {
  type AnswerParts,
  anExchange,
  aProfile,
  type CallParts,
  fingerprint,
  judgeOptions,
} from '../builders.js';

export interface RuleCase {
  call?: CallParts;
  /** A call that is whole, in place of its parts. */
  sent?: Call;
  answer?: AnswerParts;
  ledger?: LedgerState;
  options?: Partial<JudgeOptions>;
  /** Members of the profile of the bank that is called. */
  bank?: Parameters<typeof aProfile>[0];
}

export interface ViolatingCase extends RuleCase {
  /** Part of what each violation must say, in order. */
  finds?: readonly Partial<Violation>[];
}

/** Cases by what is special about each. */
type Cases<C> = Readonly<Record<string, C>>;

export interface RuleTable {
  complies: Cases<RuleCase>;
  violates: Cases<ViolatingCase>;
  notApplicable?: Cases<RuleCase>;
  notObserved?: Cases<RuleCase>;
}

function judge(rule: Rule, given: RuleCase) {
  const dialect = dialectOf(given.bank && aProfile(given.bank));
  const exchange = anExchange({
    call: { dialect, ...given.call },
    ...(given.answer ? { answer: given.answer } : {}),
  });
  const { sent: whole = exchange.call } = given;
  const sent = rule.scope !== 'exchange' && rule.looksAt === 'head' ? onlyHead(whole) : whole;
  return judgeByRule(
    rule,
    { ...exchange, call: sent },
    given.ledger ?? createLedger(),
    { ...judgeOptions(), dialect, ...given.options },
    fingerprint,
  );
}

/** The call, which objects when a header is read that the judge's memory of heads does not keep. */
function onlyHead(call: Call): Call {
  const header = new Proxy(call.header, {
    get: (all, name) => {
      expect(
        [...LOOKED_AT],
        `a rule with looksAt: 'head' reads the header ${String(name)}: leave looksAt out`,
      ).toContain(name);
      return Reflect.get(all, name);
    },
  });
  return new Proxy(call, { get: (all, name) => (name === 'header' ? header : Reflect.get(all, name)) });
}

export function testRule(rule: Rule, table: RuleTable): void {
  describe(rule.id, () => {
    it('has cases on both sides', () => {
      expect(table.complies).not.toEqual({});
      expect(table.violates).not.toEqual({});
    });
    for (const [name, given] of Object.entries(table.complies)) {
      it(`is complied with: ${name}`, () => {
        expect(judge(rule, given)).toEqual({ verdict: 'complied', violations: [] });
      });
    }
    for (const [name, given] of Object.entries(table.violates)) {
      it(`is violated: ${name}`, () => {
        const { verdict, violations } = judge(rule, given);
        expect(verdict).toBe('violated');
        if (given.finds) {
          expect(violations).toHaveLength(given.finds.length);
          for (const [i, find] of given.finds.entries()) expect(violations[i]).toMatchObject(find);
        }
      });
    }
    for (const [name, given] of Object.entries(table.notApplicable ?? {})) {
      it(`does not apply: ${name}`, () => {
        expect(judge(rule, given).verdict).toBe('not-applicable');
      });
    }
    for (const [name, given] of Object.entries(table.notObserved ?? {})) {
      it(`is not observed: ${name}`, () => {
        expect(judge(rule, given).verdict).toBe('not-observed');
      });
    }
  });
}
