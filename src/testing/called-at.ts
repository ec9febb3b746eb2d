/** The line of a test that makes a call, by the stack at that moment. */
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A frame of V8: `at name (FILE:12:5)` or `at FILE:12:5`. */
const FRAME = /(?:\(|at (?:async )?)([^()]+):(\d+):\d+\)?$/;

/** `test/accounts.test.ts:12`, below the working folder; null where no caller of `entry` is a file there. */
export function calledAt(entry: (...given: never[]) => unknown): string | null {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, entry);
  for (const frame of holder.stack?.split('\n').slice(1) ?? []) {
    const [, named = '', line] = FRAME.exec(frame) ?? [];
    if (named === '' || named.startsWith('node:')) continue;
    const file = relative(process.cwd(), named.startsWith('file:') ? fileURLToPath(named) : named);
    const parts = file.split(sep);
    // The call of a package that the test uses is made where the test calls the package.
    if (parts[0] === '..' || parts.includes('node_modules')) continue;
    return `${encodeURI(parts.join('/'))}:${line}`;
  }
  return null;
}
