/**
 * `npm run rule:new consents/some-id`: writes all that a rule needs, so that every test passes before the first word of
 * it is changed: the rule and its test, a row in the table of mutations, a line in the changelog, the generated files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULE_FAMILIES } from '../src/rules/rule.js';

type Family = (typeof RULE_FAMILIES)[number];

interface FamilyRow {
  /** What the example is about, as the rule says it. */
  readonly appliesTo: string;
  /** An operation that it is about. */
  readonly operation: string;
  /** Where a mutation offends it: a list of test/mutations/table.ts, a journey and its step. */
  readonly mutation?: readonly [list: string, journey: string, step: string];
}

const FAMILY_ROWS: Readonly<Record<Family, FamilyRow>> = {
  // A mutation takes a certificate of its own: test/mutations/certificates.ts.
  certificate: { appliesTo: '', operation: 'accounts.list' },
  // Judged only where the bank asks for signatures: test/rules/signature/.
  signature: { appliesTo: '({ requestId }) => requestId', operation: 'consents.create' },
  requests: {
    appliesTo: "({ method }) => method === 'POST'",
    operation: 'consents.create',
    mutation: ['requests', 'ais', 'create consent'],
  },
  consents: {
    appliesTo: "({ creates }) => creates === 'consent'",
    operation: 'consents.create',
    mutation: ['consents', 'ais', 'create consent'],
  },
  oauth: {
    appliesTo: "['oauth.token']",
    operation: 'oauth.token',
    mutation: ['tokens', 'ais', 'exchange code'],
  },
  accounts: {
    appliesTo: "({ group }) => group === 'accounts'",
    operation: 'accounts.list',
    mutation: ['accounts', 'ais', 'list accounts'],
  },
  payments: {
    appliesTo: "({ creates }) => creates === 'payment'",
    operation: 'payments.create',
    mutation: ['payments', 'pis', 'create payment'],
  },
  funds: {
    appliesTo: "({ group }) => group === 'funds-confirmations'",
    operation: 'funds-confirmations.create',
    mutation: ['others', 'piis', 'confirm funds'],
  },
  notifications: {
    appliesTo: "({ group }) => group === 'notifications'",
    operation: 'notifications.simulate',
    mutation: ['others', 'notification', 'simulate notification'],
  },
  // Mutations are of what a TPP sends.
  answers: { appliesTo: "({ group }) => group === 'accounts'", operation: 'accounts.list' },
};

const TEXTS = `  why: 'What goes wrong when it is violated, in one sentence.',
  fix: 'What to do, in one sentence.',`;

const SEVERITY = `  severity: { sandbox: 'note', production: 'note' },`;

/** Judged by the connection alone, from what the certificate says. */
const connectionRule = (
  id: string,
): string => `import { certificateRule } from '../checks/certificate-rule.js';
import { violation } from '../rule.js';

export default certificateRule({
  id: '${id}',
  statement: 'The common name is not example.invalid',
  sources: ['ETSI'],
${SEVERITY}
${TEXTS}
  examples: { complies: 'CN=tpp.example', violates: 'CN=example.invalid' },
  judge: ({ commonName }) =>
    commonName !== 'example.invalid' || violation('certificate subject', 'another common name', commonName),
});
`;

/** Judged with the answer, before it or by it. */
const headerRule = (id: string, side: 'call' | 'answer', { appliesTo }: FamilyRow): string => {
  const place = side === 'call' ? 'header X-Example' : 'answer header X-Example';
  return `import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: '${id}',
  statement: 'X-Example, where sent, is 1',
  sources: ['BG'],
${side === 'call' ? '' : "  judges: 'aspsp',\n"}${SEVERITY}
  appliesTo: ${appliesTo},
${side === 'call' ? '' : "  needs: ['bank-success'],\n"}${TEXTS}
  examples: { complies: 'X-Example: 1', violates: 'X-Example: 2' },
  check: ({ ${side} }) => {
    const value = ${side}.header['x-example'];
    if (value === undefined) return 'not-applicable';
    return value === '1' || violation('${place}', '1', value);
  },
});
`;
};

function testSource(id: string, family: Family, { operation }: FamilyRow): string {
  const rule = `import rule from '../../../src/rules/${id}.js';`;
  if (family === 'certificate')
    return `${rule}
import { aCertificate } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const named = (commonName: string) => ({ certificate: aCertificate({ commonName }) });

testRule(rule, {
  complies: { 'another name': { call: named('tpp.example') } },
  violates: { 'that name': { call: named('example.invalid'), finds: [{ place: 'certificate subject' }] } },
});
`;
  const [given, place] =
    family === 'answers'
      ? ['{ call: { operation }, answer: { headers } }', 'answer header X-Example']
      : ['{ call: { operation, headers } }', 'header X-Example'];
  return `${rule}
import { type RuleCase, testRule } from '../rule-tester.js';

const operation = '${operation}';
const sent = (headers: Record<string, string>): RuleCase => (${given});

testRule(rule, {
  complies: { 'the value': sent({ 'X-Example': '1' }) },
  violates: { 'another value': { ...sent({ 'X-Example': '2' }), finds: [{ place: '${place}' }] } },
  notApplicable: { 'no header': sent({}) },
});
`;
}

/**
 * The files of a new rule that are written by hand from then on, with their whole text; \`read\` gives those that are
 * there already.
 */
export function filesOf(id: string, read: (path: string) => string): Readonly<Record<string, string>> {
  const family = id.split('/', 1)[0] as Family;
  const row = FAMILY_ROWS[family];
  const rule =
    family === 'certificate'
      ? connectionRule(id)
      : headerRule(id, family === 'answers' ? 'answer' : 'call', row);
  const changelog = read('CHANGELOG.md');
  const files: Record<string, string> = {
    [`src/rules/${id}.ts`]: rule,
    [`test/rules/${id}.test.ts`]: testSource(id, family, row),
    'CHANGELOG.md': changelog.replace(
      '### Rules\n\n',
      `### Rules\n\n- New: \`${id}\` (note): what it asks.\n`,
    ),
  };
  if (row.mutation !== undefined) {
    const [list, journey, step] = row.mutation;
    const table = read('test/mutations/table.ts');
    const begin = `const ${list}: readonly Mutation[] = [\n`;
    const change = `  ['another example', '${journey}', '${step}', { header: 'X-Example', to: '2' }, '${id}'],\n`;
    files['test/mutations/table.ts'] = table.replace(begin, begin + change);
  }
  return files;
}

async function main(id: string | undefined): Promise<number> {
  const form = new RegExp(`^(?:${RULE_FAMILIES.join('|')})/[a-z0-9]+(?:-[a-z0-9]+)*$`);
  if (id === undefined || !form.test(id)) {
    console.error(`Give an id such as consents/some-id; families are ${RULE_FAMILIES.join(', ')}.`);
    return 2;
  }
  const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (existsSync(pathOf(`src/rules/${id}.ts`))) {
    console.error(`There is a rule ${id} already.`);
    return 2;
  }
  const files = filesOf(id, (path) => readFileSync(pathOf(path), 'utf8'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(pathOf(path)), { recursive: true });
    writeFileSync(pathOf(path), text);
    console.log(path);
  }
  const written = Object.keys(files).filter((path) => path.endsWith('.ts'));
  execFileSync('npx', ['biome', 'check', '--write', ...written], { cwd: pathOf(''), stdio: 'ignore' });
  await import('./generate.js');
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv[2]);
