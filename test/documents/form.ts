/**
 * Checks a documented command without running it: program, subcommand and flags exist. For those that take too long.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/run.js';
import { ROOT } from './blocks.js';

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const program = await buildProgram({
  ...{ stdin: Readable.from([]), stdout: nowhere, stderr: nowhere, env: {}, clock: () => 0 },
  signal: new AbortController().signal,
  exitWith: () => {},
});
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const OF_NPM = new Set(['ci', 'install', 'pack', 'install-scripts']);

/** What is wrong with a line, as sentences; none where nothing is. */
export function faultsOf(line: string): string[] {
  return line
    .replace(/\s#.*$/, '')
    .split(/&&|\||(?<=\s)&|;/)
    .flatMap((one) => faultOf(wordsOf(one)) ?? []);
}

export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"[^"]*"|'[^']*'|[^\s"']+/g)].map(([word]) =>
    word.replace(/^["'](.*)["']$/, '$1'),
  );
}

function faultOf(words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words.filter((word) => !/^[A-Z_]+=/.test(word));
  if (first === 'sandgate') return faultOfSandgate(rest);
  if (first === 'npx') return faultOfNpx(rest);
  if (first === 'npm') return faultOfNpm(rest);
  return undefined;
}

function faultOfNpx([tool = '', ...rest]: readonly string[]): string | undefined {
  if (tool === 'sandgate') return faultOfSandgate(rest);
  const [file = ''] = rest.filter((word) => word.includes('/') || word === 'examples');
  return existsSync(join(ROOT, file)) ? undefined : `there is no ${file}`;
}

function faultOfNpm([verb = '', name = '']: readonly string[]): string | undefined {
  const script = verb === 'run' ? name : verb;
  return OF_NPM.has(verb) || Object.hasOwn(scripts, script) ? undefined : `npm knows no ${script}`;
}

function faultOfSandgate(words: readonly string[]): string | undefined {
  let command: Command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command === program && /^[a-z]/.test(words[0] ?? '')) return `there is no command ${words[0]}`;
  const known = new Set(
    [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]).filter(Boolean),
  );
  const unknown = words
    .map((word) => word.replace(/^\[/, '').replace(/[=\]…].*$/, ''))
    .find((word) => /^--?[a-z]/.test(word) && !known.has(word) && word !== '--help');
  return unknown === undefined ? undefined : `${command.name()} has no ${unknown}`;
}
