/** Generated files are those that the tables give today. */
import { existsSync, readFileSync } from 'node:fs';
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
