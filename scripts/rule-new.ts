/** `npm run rule:new consents/some-id`: writes a rule, its test, and its line in the catalogue. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULE_FAMILIES, writeCatalogue } from './generate-catalogue.js';

/** A rule that compiles and judges: present or not. What it says is to be rewritten. */
function ruleSource(id: string): string {
  return `/** One sentence on what the rule asks. */
import { defineRule } from '../rule.js';

export default defineRule({
  id: '${id}',
  statement: 'The header Example is present',
  clauses: ['errors.1'],
  sources: ['BG'],
  judges: '${id.startsWith('answers/') ? 'aspsp' : 'tpp'}',
  severity: { sandbox: 'note', production: 'note' },
  scope: 'call',
  appliesTo: ['consents.create'],
  needs: [],
  refusal: null,
  why: 'What goes wrong when it is violated, in one sentence.',
  fix: 'What to do, in one sentence.',
  examples: { complies: 'Example: 1', violates: 'no Example' },
  check: ({ call }) =>
    call.header.example !== undefined || {
      place: 'header Example',
      expected: 'a value',
      actual: 'absent',
    },
});
`;
}

function testSource(id: string): string {
  return `import rule from '../../../src/rules/${id}.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [{ name: 'the header is there', call: { operation: 'consents.create', headers: { Example: '1' } } }],
  violates: [
    {
      name: 'the header is missing',
      call: { operation: 'consents.create' },
      finds: [{ place: 'header Example', actual: 'absent' }],
    },
  ],
});
`;
}

function write(path: string, text: string): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}

function main(id: string | undefined): number {
  const form = new RegExp(`^(?:${RULE_FAMILIES.join('|')})/[a-z0-9]+(?:-[a-z0-9]+)*$`);
  if (id === undefined || !form.test(id)) {
    console.error(`Give an id such as consents/some-id; families are ${RULE_FAMILIES.join(', ')}.`);
    return 2;
  }
  if (existsSync(new URL(`../src/rules/${id}.ts`, import.meta.url))) {
    console.error(`There is a rule ${id} already.`);
    return 2;
  }
  write(`src/rules/${id}.ts`, ruleSource(id));
  write(`test/rules/${id}.test.ts`, testSource(id));
  writeCatalogue();
  console.log('src/rules/catalogue.ts');
  console.log('Now add its row to test/rules/rules-table.ts, and run npm run generate.');
  return 0;
}

process.exitCode = main(process.argv[2]);
