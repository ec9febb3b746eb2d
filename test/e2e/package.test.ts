/** The package as it is installed: packed by npm, unpacked in another project beside its dependencies and no others. */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServing, temporaryFolder } from './child.js';
import { testCertificates } from './harness.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const run = promisify(execFile);

const project = temporaryFolder();
const modules = join(project, 'node_modules');
const installed = join(modules, 'sandgate');
afterAll(() => rmSync(project, { recursive: true, force: true }));

beforeAll(async () => {
  // The suite has built it; `prepack` would build it again under the feet of other tests.
  const pack = ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components=1']);
  const { dependencies } = JSON.parse(read(installed, 'package.json'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('the package as it is installed', () => {
  it('holds every file that its documents link to', () => {
    const documents = filesUnder(installed).filter((file) => file.endsWith('.md'));
    expect(documents.length).toBeGreaterThan(20);
    const missing = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(dirname(file), target)))
        .map((target) => `${relative(installed, file)}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('holds every document and example that the program names', () => {
    const named = filesUnder(join(installed, 'dist'))
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => read(file).match(/\b(?:docs|examples)\/[\w./-]+\.\w+/g) ?? []);
    expect(named).toContain('docs/endpoints.md');
    const missing = [...new Set(named)].filter((file) => !existsSync(join(installed, normalize(file))));
    expect(missing).toEqual([]);
  });

  it('starts a gateway', async () => {
    const { bin } = JSON.parse(read(installed, 'package.json'));
    const program = join(installed, bin.sandgate);
    expect(read(program)).toMatch(/^#!\/usr\/bin\/env node\n/);
    writeFileSync(
      join(project, 'start.js'),
      `import { startGateway } from 'sandgate/testing';
const gateway = await startGateway({ certs: ${JSON.stringify(await testCertificates())} });
console.log(gateway.urls.api);
await gateway.close();`,
    );
    const { stdout } = await run(process.execPath, ['start.js'], { cwd: project });
    expect(stdout).toMatch(/^https:\/\/localhost:\d+\n$/);
    const asked = await run(process.execPath, [program, 'rules', 'oauth/response-type'], { cwd: project });
    expect(asked.stdout).toContain('response_type');
  });

  it('serves in an empty folder, on a machine with no other program', async () => {
    const { bin } = JSON.parse(read(installed, 'package.json'));
    const empty = temporaryFolder();
    const node = [join(installed, bin.sandgate)];
    const {
      ready,
      process: child,
      ended,
    } = await startServing('certs', [], empty, { PATH: empty }, undefined, node);
    expect(ready.api).toMatch(/^https:/);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(empty, 'certs', 'tpp.pem'))).toBe(true);
  });

  it('loads own rules that import its declarations', async () => {
    const { bin } = JSON.parse(read(installed, 'package.json'));
    copyFileSync(join(installed, 'examples/own-rules/house.ts'), join(project, 'house.ts'));
    const args = [join(installed, bin.sandgate), 'rules', 'x-acme', '--own-rules', 'house.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    expect(stdout).toMatch(/\n3 rules\nOwn rules: house\.ts \(SHA-256 [0-9a-f]{64}\)\n$/);
  });

  describe.each([
    ['of the oldest Node that is promised', '@types/node'],
    ['of the current Node', 'types-node-current'],
  ])('beside the types %s', (_, types) => {
    const user = join(project, types.replace('/', '-'));
    const options = {
      ...{ module: 'nodenext', target: 'es2023', types: ['node'] },
      ...{ strict: true, noEmit: true, skipLibCheck: false },
    };
    /** Files with their texts. */
    const compile = async (texts: Readonly<Record<string, string>>, ...flags: string[]): Promise<string> => {
      const links = [
        [types, join(user, 'node_modules/@types/node')],
        // Beside the package, which adds its matchers to it.
        ['vitest', join(modules, 'vitest')],
      ] as const;
      for (const [name, link] of links) {
        mkdirSync(dirname(link), { recursive: true });
        if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules', name), link);
      }
      writeFileSync(join(user, 'package.json'), '{ "type": "module" }');
      for (const [file, text] of Object.entries(texts)) writeFileSync(join(user, file), text);
      const config = { compilerOptions: options, files: Object.keys(texts) };
      writeFileSync(join(user, 'tsconfig.json'), JSON.stringify(config));
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      const args = [compiler, '--singleThreaded', '-p', user, ...flags];
      const { stdout } = await run(process.execPath, args).catch((error) => error);
      return stdout;
    };

    it('all that it exports compiles, and says what is wrong', async () => {
      expect(await compile({ 'tpp.ts': USES })).toBe('');
    });

    it('its declarations are those of sandgate/testing, and no others, and its matchers are told from others', async () => {
      const wrong = `expect({}).toFollow(['consents.create']);
expect({}).toComply({ judges: 'both' });
expect({}).toFollow(['no.operation']);`;
      const imports = `import { expect } from 'vitest';\nimport 'sandgate/testing/vitest';`;
      const said = await compile({ 'vitest.ts': [imports, wrong, USES].join('\n') }, '--listFiles');
      const lines = said.split('\n');
      const own = lines
        .filter((line) => line.includes('/sandgate/dist/'))
        .map((line) => line.slice(line.lastIndexOf('/dist/') + 1));
      expect(own.sort()).toEqual(
        ['bank-types', 'index', 'session-types', 'types', 'vitest'].map(
          (name) => `dist/testing/${name}.d.ts`,
        ),
      );
      // Faults of what vitest brings are vitest's.
      const faults = lines.filter((line) => /^\S*(?:vitest\.ts|sandgate)\S*: error/.test(line));
      expect(faults).toEqual([expect.stringContaining('vitest.ts(5,')]);
    });

    it('the example of own rules compiles with two declarations, and a wrong rule does not', async () => {
      const house = read(installed, 'examples/own-rules/house.ts');
      const said = await compile({ 'house.ts': house, 'wrong.ts': WRONG_RULE }, '--listFiles');
      const own = said.split('\n').filter((line) => line.includes('/sandgate/dist/'));
      expect(own.map((line) => line.slice(line.lastIndexOf('/dist/') + 1)).sort()).toEqual([
        'dist/rules/own/define-rule.d.ts',
        'dist/rules/own/types.d.ts',
      ]);
      const faults = [...said.matchAll(/(\S*)\((\d+),\d+\): error/g)].map(([, file, line]) => [file, line]);
      expect(faults).toEqual([
        [expect.stringMatching(/\bwrong\.ts$/), '4'],
        [expect.stringMatching(/\bwrong\.ts$/), '5'],
      ]);
    });
  });
});

/** On the call there is no answer; an id begins with x-. */
const WRONG_RULE = `import { defineRule } from 'sandgate/rules';
const texts = { statement: '', source: { text: '' }, appliesTo: 'all', why: '', fix: '', examples: [] } as const;
defineRule({ ...texts, id: 'x-a/exchange', scope: 'exchange', check: ({ answer }) => answer?.status === 200 || [] });
defineRule({ ...texts, id: 'x-a/call', check: (seen) => seen.answer.status === 200 || [] });
defineRule({ ...texts, id: 'acme/rule', check: () => true });
`;

/** Every export, as a client of the package would use it. */
const USES = `import * as all from 'sandgate/testing';
import {
  type AgentOptions, type AuthoriseOptions, type AuthoriseResult, type CertificateAndKey, type CertificateName,
  type ComplyOptions, type CoveredExchange, type Finding, type Gateway, type GatewayOptions, type Moment,
  type NameValueList, type OperationName, type Outcome, type RecordMode, type ReplayCoverage, type ReplayOptions,
  replaySession, type Session, type SessionAnswer, type SessionBody, type SessionCall, type SessionCertificate,
  type SessionContent, type SessionExchange, type SessionFinding, type Severity, startGateway, type TestBank,
  type TestCertificates, type TestClock, type TestConsent, type TestPayment, type TestPsu, type TestTpp,
  type TestWhere, type TppAccess, type TppAnswer, type TppCall, type Waiver,
} from 'sandgate/testing';
import { Agent } from 'node:https';

export type Used = [
  AgentOptions, AuthoriseOptions, CertificateAndKey, ComplyOptions, CoveredExchange, Finding, Moment, NameValueList,
  ReplayCoverage, SessionAnswer, SessionBody, SessionCall, SessionCertificate, SessionContent, SessionFinding,
  TestBank, TestCertificates, TestClock, TestPsu, TestTpp, TestWhere, TppCall, typeof all,
];
const mode: RecordMode = 'once';
const outcome: Outcome = 'SCA_NOK';
const name: CertificateName = 'bad-expired';
const waiver: Waiver = { rule: 'oauth/response-type', reason: 'known', until: '2026-12-31' };
const severity: Severity = 'off';
const options: ReplayOptions & GatewayOptions = {
  mode, startAt: new Date(), rules: { 'oauth/response-type': severity }, waivers: [waiver], stance: 'observe',
};
export async function walk(): Promise<string[]> {
  const gateway: Gateway = await startGateway(options);
  const other: Gateway = await replaySession('a.json', { mode, bank: 'living' });
  new Agent(gateway.agent(name));
  const back: AuthoriseResult = await gateway.authorise(gateway.urls.psu, { outcome }, name);
  const access: TppAccess = await gateway.tpp().access(back);
  const answer: TppAnswer = await gateway.tpp(name).call('GET /accounts', { access, headers: { accept: null } });
  gateway.clock.advance('1d');
  const consent: TestConsent = gateway.bank.consent(answer.json.consentId);
  const payment: TestPayment = await gateway.bank.settlePayment('p');
  const session: Session = other.session();
  const texts = session.exchanges.map(({ call, answer }: SessionExchange): string => {
    const operation: OperationName | null = call.operation;
    const certificate = typeof call.certificate === 'string' ? '' : call.certificate.organizationIdentifier?.text;
    return [operation, call.request.path, call.header.accept, answer?.status, answer?.source, certificate].join();
  });
  // @ts-expect-error: there is no such stance
  await startGateway({ stance: 'lenient' });
  // @ts-expect-error: there is no such operation
  const none: OperationName = 'accounts.remove';
  return [...texts, consent.consentStatus, payment.transactionStatus, none, gateway.certificates.ca];
}
`;

describe('the lock file', () => {
  interface Locked {
    readonly dev?: true;
    readonly optional?: true;
    readonly gypfile?: boolean;
    readonly engines?: { readonly node?: string };
  }
  const { packages } = JSON.parse(read(ROOT, 'package-lock.json')) as { packages: Record<string, Locked> };

  it('holds no package that does without the oldest Node that is promised', () => {
    const { engines } = JSON.parse(read(ROOT, 'package.json'));
    expect(engines.node).toBe('>=22.14');
    // npm leaves out what is optional where the Node does not fit.
    const without = Object.entries(packages).filter(
      ([, one]) => one.optional !== true && !admits(one.engines?.node ?? '*', [22, 14, 0]),
    );
    expect(without.map(([name, one]) => `${name}: ${one.engines?.node}`)).toEqual([]);
  });

  it('keeps npm 10 from compiling the SQLite driver, which brings its binaries and needs no Python', () => {
    // The driver says so itself, but an installation by a lock file goes by the lock file alone. After an `npm install`,
    // put the line back.
    expect(packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
  });

  it.each([
    ['>=24', false],
    ['>=22', true],
    ['^20.19.0 || >=22.12.0', true],
    ['^20.20.0 || ^22.15.0 || >= 24', false],
    ['20 || >=22', true],
    ['>= 0.8', true],
    ['20.x || 22.x', true],
    ['>=22.0.0 <22.10', false],
    ['*', true],
  ])('of which %s is read as %s', (range, isAdmitted) => {
    expect(admits(range, [22, 14, 0])).toBe(isAdmitted);
  });
});

type Version = readonly [number, number, number];

/** The ranges that `engines` are written in: comparisons, `^`, `x`, joined by blanks and `||`. */
function admits(range: string, version: Version): boolean {
  return range.split('||').some((all) =>
    all
      .trim()
      .replaceAll(/([<>=^~]) +/g, '$1')
      .split(/\s+/)
      .every((one) => meets(one, version)),
  );
}

function meets(comparison: string, version: Version): boolean {
  const [, sign = '', digits = ''] = /^([<>=^~]*)v?(.*)$/.exec(comparison) ?? [];
  const parts = digits
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
  const [major = 0, minor = 0, patch = 0] = parts;
  const order = version[0] - major || version[1] - minor || version[2] - patch;
  if (sign === '>=') return order >= 0;
  if (sign === '>') return order > 0;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  if (sign === '^') return order >= 0 && version[0] === major;
  if (sign === '~') return order >= 0 && version[0] === major && version[1] === minor;
  return parts.every((part, i) => version[i] === part);
}
