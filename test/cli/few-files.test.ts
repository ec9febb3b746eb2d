/** How the built program lies in files: each is looked for, read and linked before anything is done. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const DIST = new URL('../../dist/', import.meta.url);
const MAIN = new URL('../../dist/cli/main.js', import.meta.url).href;
const IMPORT = /^(?:import|export) (?:[^'"\n]* from )?"(\.[^"]+)";/gm;

/** Without hashes; in the order in which they are loaded. */
function loadedBy(file: string, loaded = new Set<string>()): readonly string[] {
  if (loaded.has(file)) return [...loaded];
  loaded.add(file);
  for (const [, from = ''] of readFileSync(new URL(file), 'utf8').matchAll(IMPORT))
    loadedBy(new URL(from, file).href, loaded);
  return [...loaded].map((one) => one.slice(DIST.href.length).replace(/-[\w-]{8}\.js$/, '.js'));
}

/** The file that the program loads for a command. */
function commandFile(name: string): string {
  const [program = ''] = [...readFileSync(new URL(MAIN), 'utf8').matchAll(IMPORT)].map(
    ([, from = '']) => from,
  );
  const place = new URL(program, MAIN);
  const [, file = ''] =
    new RegExp(`\\b${name}: \\(\\) => import\\("([^"]+)"\\)`).exec(readFileSync(place, 'utf8')) ?? [];
  return new URL(file, place).href;
}

it('the program itself is three files', () => {
  expect(loadedBy(MAIN)).toEqual(['cli/main.js', 'chunks/program.js', 'chunks/rolldown-runtime.js']);
});

it.each(['serve', 'wait', 'rules', 'certs'])('sandgate %s loads a handful more', (name) => {
  const files = loadedBy(commandFile(name));
  expect(files).toEqual(
    expect.arrayContaining([`chunks/${name}.js`, 'chunks/gateway.js', 'chunks/store.js']),
  );
  expect(files.length).toBeLessThanOrEqual(6);
});

it('the thread of the index loads the store and nothing of the gateway', () => {
  expect(loadedBy(new URL('store/lookup/thread.js', DIST).href)).toEqual([
    ...['store/lookup/thread.js', 'chunks/store.js'],
  ]);
});
