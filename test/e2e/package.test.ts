/** The package as it is installed: packed by npm, unpacked in another project beside its dependencies and no others. */
import { execFile } from 'node:child_process';
import {
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
import { temporaryFolder } from './child.js';
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
  // What a user of the package's types has besides.
  for (const name of [...Object.keys(dependencies), '@types/node']) {
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

  it('has types that need no types of what it is built with', async () => {
    writeFileSync(
      join(project, 'tpp.ts'),
      `import { type Gateway, startGateway } from 'sandgate/testing';
export const open = (): Promise<Gateway> => startGateway({ stance: 'observe' });
// @ts-expect-error: there is no such stance
export const wrong = () => startGateway({ stance: 'lenient' });`,
    );
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', types: ['node'] },
      ...{ strict: true, noEmit: true, skipLibCheck: false },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['tpp.ts'] }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '--singleThreaded', '-p', project]).catch(
      (error) => error,
    );
    expect(stdout).toBe('');
  });
});

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
