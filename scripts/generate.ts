/** Writes every generated file: `npm run generate`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCatalogue } from './generate-catalogue.js';

writeCatalogue();
// Only now: the pages are rendered from the catalogue.
const { GENERATED } = await import('./docs.js');

for (const [path, render] of Object.entries(GENERATED)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, render());
  console.log(path);
}
