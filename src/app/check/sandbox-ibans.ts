/** The account numbers of the built-in banks, which belong to nobody. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMadeUpIban } from '../../bank/index.js';
import { findIbans } from '../../exchange/index.js';
import { SANDBOX_FILES } from '../../spec/index.js';
import { BUILT_IN_DATA } from '../built.js';

/** Tells them, in capitals and without blanks, from those that may be somebody's. */
export function createSandboxIbans(): (iban: string) => boolean {
  const texts = Object.keys(SANDBOX_FILES).map((name) =>
    readFileSync(join(BUILT_IN_DATA, `${name}.json`), 'utf8'),
  );
  const known = new Set(texts.flatMap((text) => findIbans(text).map(({ iban }) => iban)));
  return (iban) => known.has(iban) || isMadeUpIban(iban);
}
