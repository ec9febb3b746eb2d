/** What a rule is made of: what `npm run rule:new` writes, and what the types refuse. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../scripts/rule-new.js';
import { defineRule, RULES } from '../../src/rules/index.js';
import { RULE_FAMILIES } from '../../src/rules/rule.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('npm run rule:new', () => {
  it.each(RULE_FAMILIES)('writes four files at most for %s: rule, test, mutation and changelog', (family) => {
    const files = filesOf(`${family}/some-id`, read);
    const paths = Object.keys(files);
    expect(paths.slice(0, 3)).toEqual([
      `src/rules/${family}/some-id.ts`,
      `test/rules/${family}/some-id.test.ts`,
      'CHANGELOG.md',
    ]);
    // Of answers there are no mutations, one of a certificate begins with it, and journeys are not signed.
    const isSent = !['answers', 'certificate', 'signature'].includes(family);
    expect(paths.slice(3)).toEqual(isSent ? ['test/mutations/table.ts'] : []);
    for (const text of Object.values(files)) expect(text).toContain(`${family}/some-id`);
    for (const path of paths.slice(2)) expect(files[path]?.length).toBeGreaterThan(read(path).length);
  });

  it('leaves sentences that somebody has to write: no rule of the catalogue has those of the template', () => {
    const template = filesOf('funds/some-id', read)['src/rules/funds/some-id.ts'] ?? '';
    const isOfTemplate = (text: string): boolean => template.includes(`'${text}'`);
    expect(template).toContain('What to do, in one sentence.');
    const unwritten = RULES.filter(({ why, fix }) => isOfTemplate(why) || isOfTemplate(fix));
    expect(unwritten.map(({ id }) => id)).toEqual([]);
  });

  it('lets rules on answers judge the bank', () => {
    expect(filesOf('answers/some-id', read)['src/rules/answers/some-id.ts']).toContain("judges: 'aspsp'");
    expect(filesOf('funds/some-id', read)['src/rules/funds/some-id.ts']).not.toContain('judges');
    expect(filesOf('certificate/some-id', read)['src/rules/certificate/some-id.ts']).toContain(
      'certificateRule',
    );
  });
});

const PARTS = {
  id: 'answers/some-id',
  statement: 'It is so',
  sources: ['BG'],
  severity: { sandbox: 'note', production: 'note' },
  appliesTo: 'all',
  why: 'It must.',
  fix: 'Do it.',
  examples: { complies: 'so', violates: 'not so' },
  check: () => true as const,
} as const;

describe('a rule', () => {
  it('leaves out what it has none of', () => {
    const rule = defineRule({ ...PARTS, judges: 'aspsp', needs: ['bank-success'] });
    expect(rule).toMatchObject({ clauses: [], refusal: null, scope: 'exchange', needs: ['bank-success'] });
    const { severity: _, ...grave } = PARTS;
    const severity = { sandbox: 'must', production: 'must' };
    expect(defineRule(grave)).toMatchObject({ judges: 'tpp', scope: 'call', severity });
  });

  it('that judges the bank, or needs its answer, does not compile before the answer', () => {
    // @ts-expect-error the bank has not answered yet
    const judging = defineRule({ ...PARTS, judges: 'aspsp', scope: 'call' });
    // @ts-expect-error there is no answer to need
    const needing = defineRule({ ...PARTS, judges: 'tpp', scope: 'call', needs: ['bank-success'] });
    expect([judging.scope, needing.scope]).toEqual(['call', 'call']);
  });
});
