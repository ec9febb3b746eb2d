/** Warns where the chain of what is printed is broken. */
import { breakText, type ChainBreak, type Rows } from '../store/index.js';
import type { CliContext } from './context.js';
import { printLine } from './output.js';

const MOST_SHOWN = 20;

/** On standard error; and the command ends with 1. Sound recordings are passed on without a word. */
export async function warnOfBreaks(
  breaks: Rows<ChainBreak> | readonly ChainBreak[],
  session: string,
  { stderr, exitWith }: CliContext,
): Promise<void> {
  const found: ChainBreak[] = [];
  for await (const one of breaks) found.push(one);
  if (found.length === 0) return;
  printLine(stderr, `Warning: the session ${session} was changed after it was recorded.`);
  for (const one of found.slice(0, MOST_SHOWN)) printLine(stderr, `  - ${breakText(one)}`);
  if (found.length > MOST_SHOWN) printLine(stderr, `  - and ${found.length - MOST_SHOWN} more`);
  exitWith(1);
}
