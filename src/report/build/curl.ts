/** A curl line that sends a recorded request again. */
import { type Call, calledAt } from '../../exchange/index.js';

/** Of the connection, or made by curl itself. */
const LEFT_OUT = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);
/** RFC 9110 5.1; curl would take a name that begins with @ for a file to read. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MOST_HEADERS = 60;
const LONGEST_BODY = 8_000;
/** A fingerprint stands where a secret stood; what is before it tells which secret. */
const SECRET = /fp_[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/g;
const NAME_BEFORE = /["']?([A-Za-z][A-Za-z0-9_-]*)["']?\s*[=:]\s*["']?$/;

/** For a POSIX shell. Secrets, which no recording holds, stand as variables: `$ACCESS_TOKEN`, `$CODE_VERIFIER`. */
export function curlLine(call: Call): string {
  const { request, certificate, listener, direction } = call;
  const parts = ['curl -sSgi'];
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== 'GET') parts.push(`-X ${quote(request.method)}`);
  if (direction === 'to-bank') parts.push('--cacert certs/ca.pem');
  if (listener === 'api' && certificate !== 'absent') parts.push('--cert certs/tpp.pem --key certs/tpp.key');
  for (const [name, value] of request.headers.slice(0, MOST_HEADERS)) {
    if (LEFT_OUT.has(name.toLowerCase()) || !TOKEN.test(name)) continue;
    const secret = name.toLowerCase() === 'authorization' ? 'ACCESS_TOKEN' : undefined;
    parts.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`, secret)}`);
  }
  parts.push(...bodyOf(call), quote(addressOf(call)));
  return parts.join(' ');
}

function bodyOf({ request: { body } }: Call): string[] {
  if (body === null || body.size === 0) return [];
  const whole = body.base64 !== true && body.truncated !== true && body.text.length <= LONGEST_BODY;
  return [whole ? `--data-raw ${quote(body.text)}` : '--data-binary @body'];
}

function addressOf(call: Call): string {
  const { target } = call.request;
  if (/^https?:\/\//i.test(target)) return target;
  const scheme = call.connection.tls === null ? 'http' : 'https';
  return (calledAt(call) ?? `${scheme}://localhost:8443`) + target;
}

/** A word as a shell reads it back, with variables where fingerprints stand. */
function quote(text: string, name?: string): string {
  const quoted = text.replaceAll('\0', '').replaceAll("'", `'\\''`);
  const filled = quoted.replace(SECRET, (_, at: number) => `'"$${name ?? nameBefore(quoted, at)}"'`);
  return `'${filled}'`;
}

function nameBefore(text: string, at: number): string {
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  return name === undefined ? 'SECRET' : name.replaceAll('-', '_').toUpperCase();
}
