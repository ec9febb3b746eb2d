/** What a command loads before it does anything: what it waits for, the user waits for. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../src/cli', import.meta.url));
/** Of whole files: imports that are made when the file is loaded, of more than types. */
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/g;

/** The packages that a file of `src/cli` loads, by whatever stands between. */
function packagesOf(file: string): readonly string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      if (from.startsWith('.')) visit(sourceOf(join(dirname(path), from)));
      else if (!from.startsWith('node:')) packages.add(from);
    }
    if (path.endsWith('.tsx')) packages.add('preact');
  };
  visit(join(CLI, file));
  return [...packages].sort();
}

function sourceOf(built: string): string {
  const source = built.replace(/\.js$/, '.ts');
  return existsSync(source) ? source : `${source}x`;
}

/** Read by every command with settings: their schema, and the defaults of certificates. The store's driver comes with a store. */
const SETTINGS = ['commander', 'lru-cache', 'node-forge/lib/asn1.js', 'zod'];

describe('before it does anything', () => {
  it.each([
    ['the program, before it knows that this Node is new enough,', 'main.ts', []],
    ['the program', 'program.ts', ['commander']],
    ['sandgate wait', 'commands/wait.ts', SETTINGS],
    ['sandgate rules', 'commands/rules.ts', SETTINGS],
    ['sandgate bank-profile', 'commands/bank-profile.ts', SETTINGS],
    ['sandgate certs', 'commands/certs.ts', SETTINGS],
    ['sandgate trust', 'commands/trust.ts', SETTINGS],
    ['sandgate check', 'commands/check.ts', SETTINGS],
    ['sandgate scan', 'commands/scan.ts', SETTINGS],
    // What signs is loaded with a key; the driver of a store with a store.
    ['sandgate bundle', 'commands/bundle.ts', [...SETTINGS, 'pino'].sort()],
    ['sandgate verify', 'commands/verify.ts', SETTINGS],
    ['sandgate erase', 'commands/erase.ts', SETTINGS],
    ['sandgate compare', 'commands/compare.ts', SETTINGS],
    // The live page, metrics and signing load what they need when they are asked for.
    ['sandgate serve', 'commands/serve.ts', [...SETTINGS, 'pino'].sort()],
  ])('%s loads no package that it does not need', (_, file, packages) => {
    expect(packagesOf(file)).toEqual(packages);
  });
});
