/** What users import is what is built. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, ROOT), 'utf8'));

interface Target {
  readonly types: string;
  readonly default: string;
}

describe('the package', () => {
  const exported = Object.entries(read('package.json').exports as Record<string, string | Target>);
  const modules = exported.filter((entry): entry is [string, Target] => typeof entry[1] === 'object');

  it('exports the library, its matchers, and what own rules import', () => {
    expect(modules.map(([name]) => name)).toEqual(['./testing', './testing/vitest', './rules']);
  });

  it.each(modules)('%s leads to a source, for Node, for types, and for the tests here', (name, target) => {
    const source = target.default.replace('./dist/', './src/').replace(/\.js$/, '.ts');
    expect(existsSync(new URL(source, ROOT)), source).toBe(true);
    expect(target.types).toBe(target.default.replace(/\.js$/, '.d.ts'));
    const { paths } = read('tsconfig.json').compilerOptions;
    expect(paths[name.replace('.', 'sandgate')]).toEqual([source]);
  });

  it('keeps vitest out of what does not need it', () => {
    const index = readFileSync(fileURLToPath(new URL('src/testing/index.ts', ROOT)), 'utf8');
    expect(index).not.toMatch(/vitest|matchers/);
  });
});
