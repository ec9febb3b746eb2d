/** Own rules: which files are loaded, what they must hold, and what becomes of rules that misbehave. */
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/app/config/index.js';
import { findOwnFile } from '../../../src/app/own-rules/files.js';
import { withOwnRules } from '../../../src/app/own-rules/index.js';
import { createLedger } from '../../../src/ledger/index.js';
import { createJudge, RULES } from '../../../src/rules/index.js';
import { aCall, anExchange, type CallParts, fingerprint, judgeOptions } from '../../builders.js';
import { folderOfFile } from '../../folder.js';
import { processorTime } from '../../processor-time.js';

const cwd = folderOfFile();
const outside = folderOfFile();
let files = 0;

function put(text: string, name = `own-${files++}.mjs`, folder = cwd): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return name;
}

/** A rule as a file would have it, with members put over it. */
const ruleText = (members = '', check = RIGHT) => `{
  id: 'x-test/some', statement: 'It is so', source: { text: 'us' }, appliesTo: ['consents.read'],
  why: 'So it is.', fix: 'Do so.',
  examples: [
    { says: 'all is well', call: { operation: 'consents.read' }, verdict: 'complied' },
    { says: 'it is not', call: { operation: 'consents.read', headers: { 'x-do': 'violate' } }, verdict: 'violated' },
  ],
  check: ${check}, ${members}
}`;
const RIGHT = `({ call }) => call.header['x-do'] === 'violate' ? { place: 'header X-Do', expected: 'not violate' } : true`;

interface Options {
  readonly thread?: boolean;
  readonly rules?: string;
  readonly onOff?: (line: string) => void;
}

async function load(names: string, { thread = false, rules, onOff = () => {} }: Options = {}) {
  const flags = { ownRules: names, customRulesWorker: thread, rules };
  const { config } = loadConfig({ flags, file: null });
  const loaded = await withOwnRules(config, { cwd, onOff });
  onTestFinished(() => loaded.loadedRules?.close());
  return loaded;
}

async function aJudge(text: string, options: Options = {}) {
  const { loadedRules, rules: overrides = {} } = await load(put(`export default ${text};`), options);
  const own = loadedRules?.rules ?? [];
  return createJudge({ rules: [...RULES, ...own], options: judgeOptions(), fingerprint, overrides });
}

const call = (header: Record<string, string> = {}, parts: CallParts = {}) =>
  aCall({ operation: 'consents.read', headers: { 'PSU-IP-Address': '192.0.2.7', ...header }, ...parts });

describe('which files are loaded', () => {
  it.each([
    ['http://evil.example/rules.js', 'never from a URL'],
    ['https://evil.example/rules.js', 'never from a URL'],
    ['file:///etc/passwd', 'never from a URL'],
    ['data:text/javascript,export default []', 'never from a URL'],
    ['node:fs', 'never from a URL'],
    ['./not-there.js', 'there is no such file'],
    ['../outside.js', 'is no such file|outside the working directory'],
    ['no-such-package', 'there is no such package'],
    ['./folder.js', 'it is a folder'],
    ['./rules.json', 'a file ending in'],
  ])('%s is refused: %s', (name, problem) => {
    mkdirSync(join(cwd, 'folder.js'), { recursive: true });
    put('{}', 'rules.json');
    expect(() => findOwnFile(name, cwd)).toThrow(new RegExp(problem));
  });

  it('an absolute path, a link and an import that lead out of the working directory are refused', () => {
    const secret = join(outside, put('export default [];', 'secret.mjs', outside));
    symlinkSync(secret, join(cwd, 'link.mjs'));
    symlinkSync(outside, join(cwd, 'linked'));
    const importing = put(`import './linked/secret.mjs';\nexport default [];`);
    for (const name of [secret, 'link.mjs', 'linked/secret.mjs', importing])
      expect(() => findOwnFile(name, cwd)).toThrow(/outside the working directory/);
  });

  it('reads a file with a long blank behind the word from at once', () => {
    const name = put(`// from${' '.repeat(200_000)}x`);
    const before = processorTime();
    findOwnFile(name, cwd);
    expect(processorTime() - before).toBeLessThan(2_000);
  });

  it('TypeScript needs a Node that strips types', () => {
    const name = put('export default [];', 'typed.ts');
    expect(() => findOwnFile(name, cwd, false)).toThrow(/does not run TypeScript.*Node 22\.18 and newer do/);
    expect(findOwnFile(name, cwd, true).name).toBe('typed.ts');
  });

  it('a package is found from the working directory, and its digest is of its file', () => {
    put('{ "name": "own-pack", "main": "main.js" }', 'node_modules/own-pack/package.json');
    put('module.exports = [];', 'node_modules/own-pack/main.js');
    expect(findOwnFile('own-pack', cwd)).toMatchObject({
      name: 'own-pack',
      digest: createHash('sha256').update('module.exports = [];').digest('hex'),
    });
  });

  it('a file that another one imports changes the digest', () => {
    put('export const days = 180;', 'parts/days.mjs');
    const name = put(`import { days } from './parts/days.mjs';\nexport default [];`);
    const before = findOwnFile(name, cwd).digest;
    put('export const days = 90;', 'parts/days.mjs');
    expect(findOwnFile(name, cwd).digest).not.toBe(before);
  });
});

const EXAMPLES = `examples: [
  { says: 'said to be wrong', call: { operation: 'consents.read' }, verdict: 'violated' },
  { says: 'said to be right', call: { operation: 'consents.read' }, verdict: 'complied' },
]`;

describe.each([
  ['in this thread', false],
  ['in a thread of their own', true],
])('rules %s', (_, thread) => {
  it.each([
    ['nothing', 'export const rule = 1;', /a rule, or a list of rules, is expected/],
    ['no rule', 'export default 7;', /holds something that is not a rule/],
    ['no check', "export default { id: 'x-test/a' };", /no function check/],
    ['no JavaScript', 'export default {{', /cannot be loaded: SyntaxError/],
    ['an error', "throw new Error('broken by hand');", /cannot be loaded: Error: broken by hand/],
    ['an unknown member', `export default ${ruleText('weight: 3')};`, /x-test\/some.*weight/],
    [
      'an id of the catalogue',
      `export default ${ruleText("id: 'oauth/state-fresh'")};`,
      /an id such as x-acme/,
    ],
    ['a misspelt operation', `export default ${ruleText("appliesTo: ['consents.raed']")};`, /appliesTo/],
    [
      'a need of the answer before there is one',
      `export default ${ruleText("needs: ['bank-answer']")};`,
      /needs/,
    ],
    [
      'a javascript: address',
      `export default ${ruleText("source: { text: 'a', url: 'javascript:1' }")};`,
      /source\.url/,
    ],
    [
      'no examples',
      `export default ${ruleText('examples: []')};`,
      /an example that complied and one that violated/,
    ],
    [
      'an id twice',
      `export default [${ruleText()}, ${ruleText()}];`,
      /x-test\/some is in own-\d+\.mjs already/,
    ],
    [
      'an example that is not so',
      `export default ${ruleText(EXAMPLES)};`,
      /own-\d+\.mjs: the example “said to be wrong” of x-test\/some is said to be violated, but the rule gives complied/,
    ],
    [
      'an example that breaks the rule',
      `export default ${ruleText('', '({ call }) => call.none.member')};`,
      /“all is well”.*rule broken: it threw TypeError/,
    ],
  ])('a file with %s refuses the start, and says why', async (_what, text, problem) => {
    await expect(load(put(text), { thread })).rejects.toThrow(problem);
  });

  const WHEN = (deed: string) => `(seen) => {
    const { call } = seen;
    if (call.header['x-do'] === 'violate') return { place: 'header X-Do', expected: 'not violate', actual: 'violate' };
    if (call.header['x-do'] === 'break') { ${deed} }
    return true;
  }`;

  it.each([
    ['throws', "throw new Error('oh')", 'it threw Error: oh'],
    ['throws nothing', 'throw undefined', 'it threw undefined'],
    ['gives a promise', 'return Promise.reject(1)', 'it gave a promise; a rule must answer at once'],
    ['gives nothing', 'return', 'it gave undefined'],
    ['gives false', 'return false', 'it gave false'],
    ['gives a number', 'return 7', 'it gave a number'],
    [
      'gives a place that is none',
      "return { place: 'somewhere', expected: 'a' }",
      'it gave a violation without a place',
    ],
    [
      'gives no expectation',
      "return [{ place: 'path' }]",
      'it gave a violation that does not say what is expected',
    ],
    ['gives a trap', "return { get place() { throw new Error('trap'); } }", 'it threw Error: trap'],
    ['changes the call', 'call.at = 0', 'it threw TypeError: Cannot assign to read only property'],
    [
      'changes a header',
      "call.header['x-do'] = 'fine'",
      'it threw TypeError: Cannot assign to read only property',
    ],
    ['adds to a list', "call.headers.push(['a', 'b'])", 'it threw TypeError: Cannot add property'],
  ])('one that %s is broken: a note on the rule, and no failed call', async (_what, deed, cause) => {
    const judge = await aJudge(ruleText('', WHEN(deed)), { thread });
    const { findings, refusal } = judge.judgeCall(call({ 'x-do': 'break' }), createLedger());
    const found = findings.filter(({ rule }) => rule === 'x-test/some');
    expect(found).toEqual([
      {
        ...{ rule: 'x-test/some', severity: 'note', judges: 'tpp', place: 'rule', expected: 'a verdict' },
        actual: expect.stringContaining(`rule broken: ${cause}`),
      },
    ]);
    expect(refusal).toBeNull();
  });

  it('a must refuses like any other, unless its severity or a waiver lets it pass', async () => {
    const violating = call({ 'x-do': 'violate' });
    const strict = await aJudge(ruleText(), { thread });
    expect(strict.judgeCall(violating, createLedger()).refusal).toMatchObject({
      kind: 'messages',
      status: 400,
    });
    const lenient = await aJudge(ruleText(), { thread, rules: 'x-test/some=should' });
    const { refusal, findings } = lenient.judgeCall(violating, createLedger());
    expect(refusal).toBeNull();
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'x-test/some', severity: 'should' }));
  });

  it('one that is broken five times in a row is switched off, with one line', async () => {
    const lines: string[] = [];
    const judge = await aJudge(ruleText('', WHEN("throw new Error('oh')")), {
      thread,
      onOff: (line) => lines.push(line),
    });
    const breaking = () => judge.judgeCall(call({ 'x-do': 'break' }), createLedger()).verdicts['x-test/some'];
    for (let i = 0; i < 4; i++) expect(breaking()).toBe('violated');
    // One that gives a verdict again begins anew.
    expect(judge.judgeCall(call(), createLedger()).verdicts['x-test/some']).toBe('complied');
    for (let i = 0; i < 5; i++) expect(breaking()).toBe('violated');
    expect(breaking()).toBe('not-observed');
    expect(lines).toEqual([
      'x-test/some was broken 5 times in a row and is not asked any more: it threw Error: oh.',
    ]);
  });

  it('a rule sees fingerprints in place of secrets, and what it finds is cut', async () => {
    const judge = await aJudge(
      ruleText(
        "appliesTo: ['oauth.token'], examples: [{ says: 'a', call: { operation: 'oauth.token' }, verdict: 'violated' }, { says: 'b', call: { operation: 'oauth.token', form: { code: 'x' } }, verdict: 'complied' }]",
        `({ call }) => call.form?.length === 1 || { place: 'body', expected: 'one field', actual: JSON.stringify(call) + 'x'.repeat(5000) }`,
      ),
      { thread },
    );
    const secrets = {
      code: 'a-secret-code-1234567',
      code_verifier: 'v'.repeat(64),
      refresh_token: 'r-secret-9876543',
    };
    const { findings } = judge.judgeCall(
      aCall({
        operation: 'oauth.token',
        form: secrets,
        headers: { Authorization: 'Bearer secret-bearer-123' },
      }),
      createLedger(),
    );
    const [found] = findings.filter(({ rule }) => rule === 'x-test/some');
    expect(found?.actual).toHaveLength(200);
    for (const secret of [...Object.values(secrets), 'secret-bearer-123'])
      expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('a rule on the answer of the bank sees it, and one on the call does not', async () => {
    const judge = await aJudge(
      `[${ruleText(
        "id: 'x-test/bank', judges: 'aspsp', needs: ['bank-success'], examples: [{ says: 'a', call: { operation: 'consents.read' }, answer: { status: 200, json: { ok: 1 } }, verdict: 'complied' }, { says: 'b', call: { operation: 'consents.read' }, answer: { status: 200 }, verdict: 'violated' }]",
        "({ answer }) => answer.json?.ok === 1 || { place: 'answer body', expected: 'ok' }",
      )}, ${ruleText('', `({ call, answer }) => answer === null && ${RIGHT.replace('({ call }) => ', '(')})`)}]`,
      { thread },
    );
    const exchange = anExchange({ call: { operation: 'consents.read' }, answer: { body: { no: 1 } } });
    const { verdicts } = judge.judgeExchange(
      exchange,
      createLedger(),
      judge.judgeCall(exchange.call, createLedger()),
    );
    expect(verdicts).toMatchObject({ 'x-test/bank': 'violated', 'x-test/some': 'complied' });
  });
});

describe('a thread of their own', () => {
  it('ends a rule that never ends, and one that takes all memory, and goes on with others', async () => {
    const judge = await aJudge(
      `[${ruleText(
        '',
        `({ call }) => {
        if (call.header['x-do'] === 'loop') for (;;);
        if (call.header['x-do'] === 'exit') process.exit(1);
        return (${RIGHT})({ call });
      }`,
      )}, ${ruleText("id: 'x-test/other'")}]`,
      { thread: true },
    );
    const judged = (deed: string) => judge.judgeCall(call({ 'x-do': deed }), createLedger());
    for (const deed of ['loop', 'exit']) {
      const { findings, verdicts } = judged(deed);
      expect(findings.find(({ rule }) => rule === 'x-test/some')?.actual).toBe(
        'rule broken: it gave no verdict within 1000 ms',
      );
      expect(verdicts['x-test/other']).toBe('complied');
    }
    expect(judged('violate').verdicts).toMatchObject({
      'x-test/some': 'violated',
      'x-test/other': 'violated',
    });
  });

  it('sees nothing of the environment', async () => {
    process.env.OWN_RULES_SECRET = 'secret';
    onTestFinished(() => void delete process.env.OWN_RULES_SECRET);
    const judge = await aJudge(
      ruleText(
        '',
        `({ call }) => { if (process.env.OWN_RULES_SECRET) throw new Error('seen'); return (${RIGHT})({ call }); }`,
      ),
      { thread: true },
    );
    expect(judge.judgeCall(call(), createLedger()).verdicts['x-test/some']).toBe('complied');
  });
});
