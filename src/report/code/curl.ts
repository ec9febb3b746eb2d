/** A curl line that sends a recorded request again. */
import type { Call } from '../../exchange/index.js';
import { type Piece, resent } from './resent.js';

/** For a POSIX shell. Secrets, which no recording holds, stand as variables: `$ACCESS_TOKEN`, `$CODE_VERIFIER`. */
export function curlLine(call: Call): string {
  const { method, url, headers, body, isToBank, hasCertificate } = resent(call);
  const parts = ['curl -sSgi'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${quote([method])}`);
  if (isToBank) parts.push('--cacert certs/ca.pem');
  if (hasCertificate) parts.push('--cert certs/tpp.pem --key certs/tpp.key');
  for (const [name, value] of headers)
    parts.push(`-H ${quote(value.length === 0 ? [`${name};`] : [`${name}: `, ...value])}`);
  if (body !== null) parts.push(body === 'file' ? '--data-binary @body' : `--data-raw ${quote(body)}`);
  parts.push(quote(url));
  return parts.join(' ');
}

/** A word as a shell reads it back. */
function quote(pieces: readonly Piece[]): string {
  const filled = pieces.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll("'", `'\\''`) : `'"$${piece.secret}"'`,
  );
  return `'${filled.join('')}'`;
}
