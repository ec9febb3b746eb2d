/** Reads the headers Signature (draft-cavage-http-signatures) and Digest (RFC 3230), and writes the text that is signed. */
import type { Request } from './message.js';

export interface SignatureHeader {
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of the signed headers, in their order, in lower case. */
  readonly covered: readonly string[];
}

const LONGEST = 16_384;
const MOST_PARAMETERS = 20;
const MOST_COVERED = 50;
const PARAMETER = /\s*([A-Za-z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|(\d+))\s*(,|$)/y;
export const REQUEST_TARGET = '(request-target)';

/** A problem is half a sentence that goes on from the header's name. */
export function readSignature(text: string): SignatureHeader | { readonly problem: string } {
  if (text.length > LONGEST) return { problem: `has more than ${LONGEST} characters` };
  if (/^Signature\s/i.test(text)) return { problem: 'begins with the scheme of an Authorization header' };
  const parameters = new Map<string, string>();
  for (let at = 0; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(text);
    if (found === null) return { problem: `is not a list of name="value" from character ${at + 1} on` };
    const [whole, name = '', quoted, bare = '', end] = found;
    const key = name.toLowerCase();
    if (parameters.has(key)) return { problem: `has the parameter ${key} twice` };
    if (parameters.size === MOST_PARAMETERS)
      return { problem: `has more than ${MOST_PARAMETERS} parameters` };
    parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare);
    if (end === ',' && at + whole.length === text.length) return { problem: 'ends in a comma' };
  }
  const covered = coveredBy(parameters);
  if (covered.length > MOST_COVERED) return { problem: `covers more than ${MOST_COVERED} headers` };
  return { parameters, covered };
}

function coveredBy(parameters: ReadonlyMap<string, string>): string[] {
  const list = parameters.get('headers') ?? 'date';
  return list
    .toLowerCase()
    .split(' ')
    .filter((name) => name !== '');
}

/** A line of what is signed. */
export type SignedLine = readonly [name: string, value: string];

/** undefined for what the request does not hold. */
export function signedValue(
  { method, target, header }: Pick<Request, 'method' | 'target' | 'header'>,
  { parameters }: Pick<SignatureHeader, 'parameters'>,
  name: string,
): string | undefined {
  if (name === REQUEST_TARGET) return `${method.toLowerCase()} ${target}`;
  if (name === '(created)' || name === '(expires)') return parameters.get(name.slice(1, -1));
  return header[name];
}

export const signedText = (lines: readonly SignedLine[]): string =>
  lines.map(([name, value]) => `${name}: ${value}`).join('\n');

export interface DigestEntry {
  /** `SHA-256`, in the letter case in which it was sent. */
  readonly algorithm: string;
  readonly value: string;
}

const DIGEST = /^\s*([A-Za-z][\w-]*)=([^\s,]+)\s*$/;

/** null: it is no list of algorithm=value. */
export function readDigest(text: string): readonly DigestEntry[] | null {
  if (text.length > LONGEST) return null;
  const entries: DigestEntry[] = [];
  for (const part of text.split(',')) {
    const [, algorithm, value] = DIGEST.exec(part) ?? [];
    if (algorithm === undefined || value === undefined) return null;
    entries.push({ algorithm, value });
  }
  return entries;
}
