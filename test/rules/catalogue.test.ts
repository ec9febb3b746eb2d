import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueSource, ruleIds } from '../../scripts/generate-catalogue.js';
import { operationsOf, RULES, type Rule } from '../../src/rules/index.js';
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

const WHOLE_SENTENCES = /^[A-Z“].*\.$/;
/** Rules that are not as they should be: none. */
const rulesThat = (fails: (rule: Rule) => boolean) => RULES.filter(fails).map(({ id }) => id);

describe('a rule', () => {
  it('cites no clause of the specification where that is silent', () => {
    const silent = RULES.filter(({ id }) => OF_OTHER_SOURCES.includes(id));
    expect(silent.map(({ id }) => id).sort()).toEqual(OF_OTHER_SOURCES);
    expect(silent.flatMap(({ clauses }) => clauses)).toEqual([]);
  });

  it('says something that no other rule says: pages for people name no ids', () => {
    const statements = RULES.map(({ statement }) => statement);
    expect(statements.filter((one, i) => statements.indexOf(one) < i)).toEqual([]);
  });

  it('has a test of its name', () => {
    expect(rulesThat(({ id }) => !existsSync(new URL(`test/rules/${id}.test.ts`, root)))).toEqual([]);
  });

  it('cites clauses and sources that there are, one at least', () => {
    expect(
      rulesThat(
        ({ clauses, sources }) =>
          clauses.length + sources.length === 0 ||
          clauses.some((clause) => !Object.hasOwn(CLAUSES, clause)) ||
          sources.some((source) => !Object.hasOwn(OUTSIDE_SOURCES, source.split(' ')[0] ?? '')),
      ),
    ).toEqual([]);
  });

  it('is about operations that there are', () => {
    expect(
      rulesThat(
        (rule) =>
          operationsOf(rule).length === 0 ||
          (typeof rule.appliesTo === 'object' &&
            rule.appliesTo.some((operation) => !Object.hasOwn(OPERATIONS, operation))),
      ),
    ).toEqual([]);
  });

  it('tells why and what to do in whole sentences, with an example of either side', () => {
    expect(
      rulesThat(
        ({ why, fix, examples }) =>
          !WHOLE_SENTENCES.test(why) ||
          !WHOLE_SENTENCES.test(fix) ||
          !examples.complies ||
          !examples.violates,
      ),
    ).toEqual([]);
  });
});
