/** Finds the files of own rules that the settings name, and takes the digest of all that they consist of. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readUpTo } from '../../files/index.js';
import type { OwnFile } from '../../rules/own/index.js';
import { SandgateError, unreadable } from '../../spec/index.js';

export interface FoundFile extends OwnFile {
  /** Without links. */
  readonly path: string;
  /** It imports no other file by a relative path. */
  readonly isAlone: boolean;
}

const MOST_BYTES = 1_048_576;
const MOST_FILES = 100;
const TYPESCRIPT = new Set(['.ts', '.mts']);
const EXTENSIONS = new Set(['.js', '.mjs', '.cjs', ...TYPESCRIPT]);

/** `named` by the settings: a path below the working directory, or a package. `stripsTypes`: whether Node runs TypeScript. */
export function findOwnFile(
  named: string,
  cwd = process.cwd(),
  stripsTypes = process.features.typescript !== false,
): FoundFile {
  const refuse = (problem: string, cause?: unknown) =>
    new SandgateError('own-rules.file', { name: named.slice(0, 200), problem }, { cause });
  if (/^[a-z][a-z\d+.-]+:/i.test(named))
    throw refuse('rules are loaded from files and packages only, never from a URL');
  const isPath = named.startsWith('.') || isAbsolute(named) || EXTENSIONS.has(extname(named));
  const path = isPath ? resolve(cwd, named) : packageFile(named, cwd, refuse);
  const real = realOf(path);
  const root = isPath ? realpathSync(cwd) : packageFolder(real);
  const checked = (file: string): string => {
    if (isInside(file, root)) return file;
    const where = isPath ? `the working directory ${root}` : 'its package';
    throw refuse(`${file} is outside ${where}; move it there, or name a package`);
  };
  checked(real);
  if (!statSync(real).isFile()) throw refuse('it is a folder; name a file in it');
  const extension = extname(real);
  if (!EXTENSIONS.has(extension)) throw refuse(`a file ending in ${[...EXTENSIONS].join(', ')} is expected`);
  if (TYPESCRIPT.has(extension) && !stripsTypes)
    throw refuse(
      `Node ${process.versions.node} does not run TypeScript as it is started; Node 22.18 and newer do. Or compile the file to JavaScript`,
    );
  const { digest, isAlone } = digestOf(real, root, checked, refuse);
  return { name: isPath ? relative(root, real).split(sep).join('/') : named, path: real, digest, isAlone };
}

type Refuse = (problem: string, cause?: unknown) => SandgateError;

function packageFile(named: string, cwd: string, refuse: Refuse): string {
  try {
    return createRequire(join(cwd, 'settings.js')).resolve(named);
  } catch (cause) {
    throw refuse(
      'there is no such package here, or it has no default export. A path begins with ./ or ends in .js or .ts',
      cause,
    );
  }
}

function packageFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function isInside(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

const IMPORTS = /\b(?:from|import|require)\s*(?:\(\s*)?['"](\.{1,2}\/[^'"\n]+)['"]/g;

/** SHA-256 of the file; with the files that it imports by a relative path, that of the list that `sha256sum` prints of all. */
function digestOf(
  entry: string,
  root: string,
  checked: (file: string) => string,
  refuse: Refuse,
): Pick<FoundFile, 'digest' | 'isAlone'> & { digest: string } {
  const digests = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const name = relative(root, file).split(sep).join('/');
    if (digests.has(name)) continue;
    if (digests.size >= MOST_FILES) throw refuse(`it imports more than ${MOST_FILES} files`);
    const bytes = readUpTo(file, MOST_BYTES);
    if (bytes === null) throw refuse(`${name} is larger than 1 MiB`);
    digests.set(name, createHash('sha256').update(bytes).digest('hex'));
    for (const [, specifier = ''] of bytes.toString('utf8').matchAll(IMPORTS)) {
      const imported = resolve(dirname(file), specifier);
      // A type alone may be imported from a file that is not there; any other is missed when the rules are loaded.
      if (existsSync(imported)) open.push(checked(realOf(imported)));
    }
  }
  const [only] = digests.values();
  if (digests.size === 1 && only !== undefined) return { digest: only, isAlone: true };
  const list = [...digests].sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256')
    .update(list.map(([name, one]) => `${one}  ${name}\n`).join(''))
    .digest('hex');
  return { digest, isAlone: false };
}
