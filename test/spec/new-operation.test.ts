/** What `npm run operation:new` writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../scripts/operation-new.js';
import { type Group, OPERATIONS } from '../../src/spec/index.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const GROUPS = [...new Set(Object.values(OPERATIONS).map(({ group }): Group => group))];
const TABLES = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path}`)
  .filter((path) => read(path).includes('satisfies Record<OperationId,'));

describe.each(GROUPS)('npm run operation:new for %s', (group) => {
  const id = `${group}.not-there-yet`;
  const files = filesOf(id, read);

  it('writes a row into every table that has one for each operation, in both banks too', () => {
    expect(TABLES).toContain('src/answer/living/create-living-bank.ts');
    const others = TABLES.filter((path) => path !== 'src/answer/emulator/create-emulator.ts');
    expect(Object.keys(files)).toEqual(expect.arrayContaining([...others, 'src/spec/operations.ts']));
    const handlers = Object.entries(files).filter(([path]) => path.startsWith('src/answer/emulator/'));
    expect(handlers).toHaveLength(1);
    for (const [path, text] of Object.entries(files))
      if (path !== 'test/spec/tables.test.ts') expect(text.split(`${id}'`)).toHaveLength(2);
  });

  it('takes nothing out of the files', () => {
    for (const [path, text] of Object.entries(files)) {
      const lines = new Set(text.split('\n').map((line) => line.trim()));
      const lost = read(path)
        .split('\n')
        .filter((line) => !lines.has(line.trim()));
      expect(lost.filter((line) => !/^import .*render\.js|OPERATION_IDS\.length/.test(line.trim()))).toEqual(
        [],
      );
    }
  });
});

it('npm run operation:new leaves rows that somebody has to write: none of the template is left in the tables', () => {
  const left = Object.entries(filesOf('accounts.some-name', read)).flatMap(([path, text]) => {
    const sentences = text.match(/'What (?:it does|the specification says)[^']*'/g) ?? [];
    return sentences.filter((one) => read(path).includes(one));
  });
  expect(left).toEqual([]);
  expect(read('src/spec/bodies.ts')).not.toMatch(/^ {2}'[^']+': z\.looseObject\(\{\}\),$/m);
  const byNobody = [
    ...read('src/answer/living/create-living-bank.ts').matchAll(/'([^']+)': leaveToSandbox/g),
  ];
  expect(byNobody.map(([, id]) => id)).toEqual(['notifications.simulate']);
});

it('npm run operation:new says which file lost its table', () => {
  expect(() => filesOf('oauth.some-name', () => '')).toThrow('src/spec/operations.ts');
});
