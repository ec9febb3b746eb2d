/** The account numbers of the built-in sandbox, which belong to nobody. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findIbans } from '../../exchange/index.js';
import { SANDBOX_FILES } from '../../spec/index.js';
import { BUILT_IN_DATA } from '../gateway/answering.js';

/** In capitals, without blanks. */
export function sandboxIbans(): ReadonlySet<string> {
  const texts = Object.keys(SANDBOX_FILES).map((name) =>
    readFileSync(join(BUILT_IN_DATA, `${name}.json`), 'utf8'),
  );
  return new Set(texts.flatMap((text) => findIbans(text).map(({ iban }) => iban)));
}
