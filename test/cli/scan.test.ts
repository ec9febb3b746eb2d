/** `sandgate scan` as a user, a hook and a pipeline run it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { folderOfFile } from '../folder.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const TOKEN = '7KvWq2nPzRtB84mXcLdY1A';
const clean = write('clean.json', '{"token":"fp_AAAAAAAAAAAAAAAAAAAAAA"}');
const dirty = write(
  'dirty.har',
  `{\n  "Authorization": "Bearer ${TOKEN}",\n  "by": "jane.doe@somebank.de"\n}\n`,
);

describe('sandgate scan', () => {
  it('ends with 0 where nothing is found', async () => {
    expect(await sandgate(['scan', clean])).toEqual({
      ...{ status: 0, err: '', out: 'Nothing found in 1 file.\n' },
    });
  });

  it.each<[string, (text: string) => Buffer]>([
    ['packed', (text) => gzipSync(text)],
    ['in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['in UTF-16 without a mark, packed', (text) => gzipSync(Buffer.from(text, 'utf16le').swap16())],
  ])('finds the same in a file that is %s', async (name, code) => {
    const file = join(folder, `${name}.har.gz`);
    writeFileSync(file, code(readFileSync(dirty, 'utf8')));
    const { status, out } = await sandgate(['scan', file]);
    expect([status, out.match(/:(\d+:\d+) {2}/g)]).toEqual([1, [':2:28  ', ':3:10  ']]);
  });

  it('ends with 1 and names file, line, column and kind, and never the whole secret', async () => {
    const { status, out } = await sandgate(['scan', clean, dirty]);
    expect(out.split('\n')).toEqual([
      `${dirty}:2:28  bearer token  7KvW… (22 characters)`,
      `${dirty}:3:10  e-mail address  jane… (20 characters)`,
      '2 findings in 1 of 2 files.',
      '',
    ]);
    expect(status).toBe(1);
  });

  it('gives it as JSON', async () => {
    const { status, out } = await sandgate(['scan', dirty, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      files: 1,
      findings: [
        { file: dirty, line: 2, column: 28, kind: 'bearer token' },
        { file: dirty, line: 3, column: 10 },
      ],
    });
    expect(out).not.toContain(TOKEN);
  });

  it('stops a commit as the hook of docs/ci.md, and lets one pass that has nothing for it', () => {
    const repository = mkdtempSync(join(folder, 'git-'));
    const hook = /^git diff --cached .*$/m.exec(readFileSync('docs/ci.md', 'utf8'))?.[0] ?? '';
    const main = resolve('dist/cli/main.js');
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        cwd: repository,
        encoding: 'utf8',
      });
    git('init', '-q');
    writeFileSync(
      join(repository, '.git/hooks/pre-commit'),
      `#!/bin/sh\n${hook.replace('npx sandgate', `'${process.execPath}' '${main}'`)}\n`,
      { mode: 0o755 },
    );
    const commit = (name: string, text: string) => {
      writeFileSync(join(repository, name), text);
      git('add', name);
      return git('commit', '-q', '-m', name);
    };
    expect(commit('notes.md', 'nothing').status).toBe(0);
    expect(commit('clean.har', '{}').status).toBe(0);
    const stopped = commit('dirty.har', `{"Authorization":"Bearer ${TOKEN}"}`);
    expect(stopped.status).not.toBe(0);
    expect(stopped.stdout + stopped.stderr).toContain('dirty.har:1:26  bearer token');
  });

  it.each([
    [['scan'], /missing required argument/],
    [['scan', 'none.json'], /^none\.json cannot be read: there is no such file/],
  ])('ends with 2 and one sentence: %j', async (args, sentence) => {
    const { status, out, err } = await sandgate(args);
    expect(err).toMatch(sentence);
    expect([status, out]).toEqual([2, '']);
  });
});
