import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueSource, ruleIds } from '../../scripts/generate-catalogue.js';
import { operationsOf, RULES } from '../../src/rules/index.js';
import { CLAUSES, OPERATIONS, OUTSIDE_SOURCES } from '../../src/spec/index.js';

const root = new URL('../../', import.meta.url);

describe('the catalogue', () => {
  it('is what npm run generate writes', () => {
    const file = readFileSync(new URL('src/rules/files.ts', root), 'utf8');
    expect(file).toBe(catalogueSource(ruleIds()));
  });

  it('holds each rule file under its path as id', () => {
    expect(RULES.map(({ id }) => id)).toEqual(ruleIds());
  });
});

/** What no sentence of the specification says. */
const OF_OTHER_SOURCES = [
  'certificate/not-about-to-expire',
  'certificate/tls-version',
  'consents/iban-valid',
  'consents/valid-until-not-past',
  'oauth/refresh-token-current',
  'oauth/verifier-well-formed',
  'payments/text-lengths',
  'requests/body-parses',
  'requests/header-lengths',
  'requests/members-once',
  'requests/no-body-on-read',
  'requests/request-id-fresh',
  'requests/request-id-is-uuid',
  'requests/request-id-present',
];

describe('a rule on something of which the specification is silent', () => {
  it.each(OF_OTHER_SOURCES)('cites no clause of it: %s', (id) => {
    expect(RULES.find((rule) => rule.id === id)?.clauses).toEqual([]);
  });
});

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  it('has a test of its name', () => {
    expect(existsSync(new URL(`test/rules/${id}.test.ts`, root))).toBe(true);
  });

  it('cites clauses and sources that there are, one at least', () => {
    expect(rule.clauses.length + rule.sources.length).toBeGreaterThan(0);
    for (const clause of rule.clauses) expect(Object.hasOwn(CLAUSES, clause)).toBe(true);
    for (const source of rule.sources)
      expect(Object.hasOwn(OUTSIDE_SOURCES, source.split(' ')[0] ?? '')).toBe(true);
  });

  it('is about operations that there are', () => {
    expect(operationsOf(rule).length).toBeGreaterThan(0);
    if (typeof rule.appliesTo !== 'object') return;
    for (const operation of rule.appliesTo) expect(Object.hasOwn(OPERATIONS, operation)).toBe(true);
  });

  it('tells why and what to do in whole sentences, with an example of either side', () => {
    for (const text of [rule.why, rule.fix]) expect(text).toMatch(/^[A-Z“].*\.$/);
    expect(rule.examples.complies).toBeTruthy();
    expect(rule.examples.violates).toBeTruthy();
  });
});
