import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueSource, ruleIds } from '../../scripts/generate-catalogue.js';
import { refusalText } from '../../src/cli/rule-text.js';
import { operationsOf, RULES } from '../../src/rules/index.js';
import { CLAUSES, OPERATIONS, OUTSIDE_SOURCES } from '../../src/spec/index.js';
import { RULES_TABLE } from './rules-table.js';

const root = new URL('../../', import.meta.url);
const byId = new Map(RULES.map((rule) => [rule.id, rule]));

describe('the catalogue', () => {
  it('is what npm run generate writes', () => {
    const file = readFileSync(new URL('src/rules/catalogue.ts', root), 'utf8');
    expect(file).toBe(catalogueSource(ruleIds()));
  });

  it('holds each rule file under its path as id', () => {
    expect(RULES.map(({ id }) => id)).toEqual(ruleIds());
  });

  it('holds the rules that were agreed, and no other', () => {
    expect(RULES.map(({ id }) => id).sort()).toEqual(RULES_TABLE.map(([id]) => id).sort());
  });
});

describe.each(RULES_TABLE)('%s', (id, statement, judges, sandbox, production, scope, refusal) => {
  const rule = byId.get(id);

  it('says, judges and refuses what was agreed', () => {
    expect(rule).toMatchObject({ id, statement, judges, scope });
    const severity = (text: string) => (text === '-' ? 'off' : text);
    expect(rule?.severity).toEqual({ sandbox: severity(sandbox), production: severity(production) });
    // What follows a comma tells of single violations, or of headers.
    const agreed = refusal.startsWith('(') ? '' : (refusal.split(',')[0] ?? '');
    expect(agreed.replace(/^4\d\d (?=[a-z])/, '')).toBe(refusalText(rule?.refusal ?? null));
  });

  it('has a test of its name', () => {
    expect(existsSync(new URL(`test/rules/${id}.test.ts`, root))).toBe(true);
  });

  it('cites clauses and sources that there are, one at least', () => {
    expect((rule?.clauses.length ?? 0) + (rule?.sources.length ?? 0)).toBeGreaterThan(0);
    for (const clause of rule?.clauses ?? []) expect(Object.hasOwn(CLAUSES, clause)).toBe(true);
    for (const source of rule?.sources ?? [])
      expect(Object.hasOwn(OUTSIDE_SOURCES, source.split(' ')[0] ?? '')).toBe(true);
  });

  it('is about operations that there are', () => {
    if (rule === undefined) return;
    expect(operationsOf(rule).length).toBeGreaterThan(0);
    if (typeof rule.appliesTo !== 'object') return;
    for (const operation of rule.appliesTo) expect(Object.hasOwn(OPERATIONS, operation)).toBe(true);
  });

  it('tells why and what to do in whole sentences, with an example of either side', () => {
    for (const text of [rule?.why, rule?.fix]) expect(text).toMatch(/^[A-Z“].*\.$/);
    expect(rule?.examples.complies).toBeTruthy();
    expect(rule?.examples.violates).toBeTruthy();
  });
});
