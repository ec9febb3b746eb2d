/** Command lines to try the gateway with: they work as they stand, in any POSIX shell, with nothing but curl and sed. */
import { join, relative } from 'node:path';
import { SANDBOX } from '../spec/index.js';
import { shellWord } from './output.js';

export interface CurlLinesParts {
  readonly apiUrl: string;
  readonly segment: string;
  /** Where the certificates lie. */
  readonly certs: string;
  readonly workingDirectory: string;
  readonly requestId: string;
}

export interface CurlLines {
  /** Fetches a token. */
  readonly token: string;
  /** Fetches a token of its own, and lists the accounts with it. */
  readonly accounts: string;
}

/** The verifier of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const TAKE_TOKEN = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`;

export function curlLines(parts: CurlLinesParts): CurlLines {
  const file = (name: string) => {
    const path = join(parts.certs, name);
    const near = relative(parts.workingDirectory, path);
    return shellWord(near.startsWith('..') ? path : near);
  };
  const curl = `curl -sS --cacert ${file('ca.pem')} --cert ${file('tpp.pem')} --key ${file('tpp.key')}`;
  const url = (path: string) => shellWord(`${parts.apiUrl}/${parts.segment}/v1/${path}`);
  const token = [
    curl,
    '-d grant_type=authorization_code',
    '-d code=AIS_VALID_CODE',
    `-d client_id=${SANDBOX.clientId}`,
    `-d code_verifier=${VERIFIER}`,
    url('token'),
  ].join(' ');
  const accounts = [
    curl,
    `-H "Authorization: Bearer $(${token} | ${TAKE_TOKEN})"`,
    `-H 'Consent-Id: ${SANDBOX.validConsent}'`,
    `-H 'X-Request-ID: ${parts.requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    url('accounts'),
  ].join(' ');
  return { token, accounts };
}
