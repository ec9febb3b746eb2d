/** Generated files are those that the tables give today. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GENERATED, table } from '../scripts/docs.js';

describe('generated files', () => {
  it.each(Object.entries(GENERATED))('%s is current', (path, render) => {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect(stored === render(), `${path} is not what the tables give: run npm run generate`).toBe(true);
  });

  it('a bar in a cell does not end the cell', () => {
    expect(table(['a'], [['x|y\nz']])).toBe('| a |\n|---|\n| x\\|y z |');
  });
});

describe('commands', () => {
  const root = new URL('../', import.meta.url);
  const textOf = (folder: string, end: string) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(end))
      .map((path) => readFileSync(new URL(`${folder}/${path}`, root), 'utf8'))
      .join('\n');
  const commands = readdirSync(new URL('src/cli/commands', root)).map((file) => file.replace('.ts', ''));

  it('each stand on a page', () => {
    const pages = textOf('docs', '.md');
    expect(commands.filter((name) => !pages.includes(`sandgate ${name}`))).toEqual([]);
  });

  it('are each run by a test', () => {
    const tests = textOf('test/cli', '.test.ts');
    const isRun = (name: string) => new RegExp(`\\(\\s*\\[?\\s*'${name}'`).test(tests);
    expect(commands.filter((name) => !isRun(name))).toEqual([]);
  });
});
