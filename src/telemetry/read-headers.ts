/** Reads a file of header fields, `Name: value` on each line; lines that begin with # are left out. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { readSecret } from '../files/index.js';
import { SandgateError } from '../spec/index.js';

/** These are of the request itself, whatever the file says. */
const OURS: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'connection',
]);

/** @throws SandgateError where others may read it, or a line is no field. What stands in it may be secret: it is not said. */
export function readHeaders(file: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [index, line] of readSecret(file).toString('utf8').split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    if (colon < 1 || OURS.has(name) || !isField(name, value))
      throw new SandgateError('config.headers-file', { file, line: index + 1 });
    headers[name] = value;
  }
  return headers;
}

function isField(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
