/** A rule's test is a table: cases that comply, that violate, that it does not judge. */
import { describe, expect, it } from 'vitest';
import { createLedger, type LedgerState } from '../../src/ledger/index.js';
// Past the index: a rule's own test does not load all other rules.
import { judgeByRule } from '../../src/rules/judge-by-rule.js';
import type { JudgeOptions, Rule, Violation } from '../../src/rules/rule.js';
import { type AnswerParts, anExchange, type CallParts, fingerprint, judgeOptions } from '../builders.js';

export interface RuleCase {
  /** A sentence on what is special about the case. */
  name: string;
  call?: CallParts;
  answer?: AnswerParts;
  ledger?: LedgerState;
  options?: Partial<JudgeOptions>;
}

export interface ViolatingCase extends RuleCase {
  /** Part of what each violation must say, in order. */
  finds?: readonly Partial<Violation>[];
}

export interface RuleTable {
  complies: readonly RuleCase[];
  violates: readonly ViolatingCase[];
  notApplicable?: readonly RuleCase[];
  notObserved?: readonly RuleCase[];
}

function judge(rule: Rule, given: RuleCase) {
  const exchange = anExchange({
    ...(given.call ? { call: given.call } : {}),
    ...(given.answer ? { answer: given.answer } : {}),
  });
  return judgeByRule(
    rule,
    exchange,
    given.ledger ?? createLedger(),
    { ...judgeOptions(), ...given.options },
    fingerprint,
  );
}

export function testRule(rule: Rule, table: RuleTable): void {
  describe(rule.id, () => {
    it('has cases on both sides', () => {
      expect(table.complies.length).toBeGreaterThan(0);
      expect(table.violates.length).toBeGreaterThan(0);
    });
    for (const given of table.complies) {
      it(`is complied with: ${given.name}`, () => {
        expect(judge(rule, given)).toEqual({ verdict: 'complied', violations: [] });
      });
    }
    for (const given of table.violates) {
      it(`is violated: ${given.name}`, () => {
        const { verdict, violations } = judge(rule, given);
        expect(verdict).toBe('violated');
        if (given.finds) {
          expect(violations).toHaveLength(given.finds.length);
          for (const [i, find] of given.finds.entries()) expect(violations[i]).toMatchObject(find);
        }
      });
    }
    for (const given of table.notApplicable ?? []) {
      it(`does not apply: ${given.name}`, () => {
        expect(judge(rule, given).verdict).toBe('not-applicable');
      });
    }
    for (const given of table.notObserved ?? []) {
      it(`is not observed: ${given.name}`, () => {
        expect(judge(rule, given).verdict).toBe('not-observed');
      });
    }
  });
}
