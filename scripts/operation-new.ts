/**
 * `npm run operation:new accounts.some-name`: writes the row of an operation into each table that has one for every
 * operation, in both banks too. What it writes compiles and answers: the tests that then fail name what is left to do.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Group, OPERATION_IDS } from '../src/spec/operations.js';

interface GroupRow {
  /** What the rows of the group begin with in the table of operations. */
  readonly shared: string;
  /** Where the sandbox bank answers the group. */
  readonly handlers: string;
}

const inGroup = (name: Group, shared: string): GroupRow => ({
  shared,
  handlers: `src/answer/emulator/${name}.ts`,
});

const GROUP_ROWS: Readonly<Record<Group, GroupRow>> = {
  consents: inGroup('consents', '...consents'),
  accounts: inGroup('accounts', '...accounts'),
  payments: inGroup('payments', '...payments'),
  notifications: inGroup(
    'notifications',
    "...api,\n    group: 'notifications',\n    role: 'any',\n    requestId: false",
  ),
  'funds-confirmations': {
    shared: "...api,\n    group: 'funds-confirmations',\n    role: 'PSP_IC'",
    handlers: 'src/answer/emulator/funds.ts',
  },
  oauth: { shared: '...oauth', handlers: 'src/answer/emulator/create-emulator.ts' },
};

/** Before the end of the table that has a row of this type for every operation. */
const endOf = (type: string) =>
  new RegExp(`(?=\\n *\\}(?: as const)? satisfies Record<OperationId, ${type}>)`);

/** The tables with the row that each gets: where it is inserted, and its text. */
function rowsOf(id: string, group: Group): readonly (readonly [string, RegExp, string])[] {
  const { shared, handlers } = GROUP_ROWS[group];
  const operation = `\n  '${id}': {
    ${shared},
    ...read,
    counted: false,
    on: null,
    path: \`\${V1}/${id.replaceAll('.', '-')}\`,
    summary: 'What it does, in a few words',
  },`;
  const clause = `  'endpoint.${id}': {
    section: '${group}, GET /${id.replaceAll('.', '-')}',
    text: 'What the specification says of it.',
    emulator: OFFERED,
  },\n`;
  const handlersAt =
    group === 'oauth' ? endOf('Handler') : new RegExp(`(?<=Handlers<'${group}'> \\{.*?\\n  return \\{)`, 's');
  return [
    ['src/spec/operations.ts', /(?=\n\} as const satisfies Record<string, OperationRow>)/, operation],
    ['src/spec/clauses.ts', /(?<='endpoint\.notifications\.simulate': \{.*?\n {2}\},\n)/s, clause],
    ['src/spec/bodies.ts', endOf('z.ZodType \\| null'), `\n  '${id}': z.looseObject({}),`],
    ['src/ledger/advance.ts', endOf('Fold \\| null'), `\n  '${id}': null,`],
    ['src/report/build/journeys.ts', endOf('Stage \\| null'), `\n  '${id}': null,`],
    [handlers, handlersAt, `\n  '${id}': (call) => answerJson(call, 'emulator', 200, {}),`],
    ['src/answer/living/create-living-bank.ts', endOf('LivingHandler'), `\n  '${id}': leaveToSandbox,`],
    ['src/testing/session-types.ts', /(?=\n {2}\| 'notifications\.simulate')/, `\n  | '${id}'`],
    [
      'test/answer/an-emulator.ts',
      /(?=\n *\} as const satisfies Record<BuiltInOperationId, CallParts>)/,
      `\n  '${id}': {},`,
    ],
  ];
}

/** The files that change, with their whole text; `read` gives them as they are. Throws if a table is not where it was. */
export function filesOf(id: string, read: (path: string) => string): Readonly<Record<string, string>> {
  const [group] = id.split('.', 1) as [Group];
  const files: Record<string, string> = {};
  for (const [path, at, row] of rowsOf(id, group)) {
    const text = read(path);
    files[path] = text.replace(at, () => row);
    if (files[path] === text) throw new Error(`${path} has no table of operations any more`);
    if (row.includes('answerJson')) files[path] = withImport(files[path]);
  }
  const counts = 'test/spec/tables.test.ts';
  const count = OPERATION_IDS.length;
  const changed = read(counts).replace(
    `OPERATION_IDS.length, ${count}]`,
    `OPERATION_IDS.length, ${count + 1}]`,
  );
  return { ...files, [counts]: changed };
}

function withImport(text: string): string {
  if (/\banswerJson,|\banswerJson \}/.test(text)) return text;
  const line = /import \{ (.*) \} from '\.\.\/render\.js';/;
  return line.test(text)
    ? text.replace(line, "import { answerJson, $1 } from '../render.js';")
    : text.replace(/(?=import .* from '\.\/)/, "import { answerJson } from '../render.js';\n");
}

function main(id: string | undefined): number {
  const groups = Object.keys(GROUP_ROWS).join('|');
  if (id === undefined || !new RegExp(`^(?:${groups})(?:\\.[a-z]+(?:-[a-z]+)*)+$`).test(id)) {
    console.error(`Give a name such as accounts.some-name; groups are ${groups.replaceAll('|', ', ')}.`);
    return 2;
  }
  if (OPERATION_IDS.some((known) => known === id)) {
    console.error(`There is an operation ${id} already.`);
    return 2;
  }
  const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const files = filesOf(id, (path) => readFileSync(pathOf(path), 'utf8'));
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(pathOf(path), text);
    console.log(path);
  }
  const options = { cwd: pathOf(''), stdio: ['ignore' as const, 'ignore' as const, 'inherit' as const] };
  execFileSync('npx', ['biome', 'check', '--write', ...Object.keys(files)], options);
  // In a process of its own: the table of operations is loaded here as it was.
  execFileSync('npm', ['run', 'generate'], options);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv[2]);
