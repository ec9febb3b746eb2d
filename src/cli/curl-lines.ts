/** Command lines to try the gateway with: they work as they stand, in any POSIX shell, with nothing but curl and sed. */
import { join, relative } from 'node:path';
import type { Config } from '../app/config/index.js';
import { SANDBOX } from '../spec/index.js';
import { shellWord } from './output.js';

export interface CurlLinesParts {
  readonly bank: Config['bank'];
  readonly apiUrl: string;
  readonly psuUrl: string;
  readonly segment: string;
  /** Where the certificates lie. */
  readonly certs: string;
  readonly workingDirectory: string;
  readonly requestId: string;
}

/** What a line does, and the line. */
export type CurlLine = readonly [does: string, line: string];

/** Verifier and challenge of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const RETURN_TO = 'https://tpp.example/back';
const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const TAKE_TOKEN = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`;

export function curlLines(parts: CurlLinesParts): readonly CurlLine[] {
  return parts.bank === 'living' ? livingLines(parts) : sandboxLines(parts);
}

/** The fixed identifiers of the sandbox need no PSU. */
function sandboxLines(parts: CurlLinesParts): readonly CurlLine[] {
  const curl = curlOf(parts);
  const token = [
    curl,
    '-d grant_type=authorization_code',
    '-d code=AIS_VALID_CODE',
    `-d client_id=${SANDBOX.clientId}`,
    `-d code_verifier=${VERIFIER}`,
    urlOf(parts, 'token'),
  ].join(' ');
  const accounts = [
    curl,
    `-H "Authorization: Bearer $(${token} | ${TAKE_TOKEN})"`,
    `-H 'Consent-Id: ${SANDBOX.validConsent}'`,
    `-H 'X-Request-ID: ${parts.requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    urlOf(parts, 'accounts'),
  ].join(' ');
  return [
    ['Get a token', token],
    ['List the accounts with it', accounts],
  ];
}

/** What is created has an id of its own, and its PSU authorises it in a browser. */
function livingLines(parts: CurlLinesParts): readonly CurlLine[] {
  const consent = [
    curlOf(parts),
    `-H 'X-Request-ID: ${parts.requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    `-H 'TPP-Redirect-URI: ${RETURN_TO}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(CONSENT)}'`,
    urlOf(parts, 'consents'),
  ].join(' ');
  return [
    ['Create a consent', consent],
    [
      'Create one, and print where its PSU authorises it: open that in a browser',
      `${consent} | ${takeLink(parts)}`,
    ],
  ];
}

/** From a creation to the authorize URL, whether its link is that one or leads to a discovery document. */
function takeLink({ psuUrl, segment }: CurlLinesParts): string {
  const found = '.*"consentId":"\\([^"]*\\)".*"scaOAuth":{"href":"[^"]*[/=]\\([^"/=]*\\)".*';
  const query = [
    'scope=AIS:\\1',
    `client_id=${SANDBOX.clientId}`,
    'state=\\1',
    `redirect_uri=${RETURN_TO}`,
    'response_type=code',
    `code_challenge=${CHALLENGE}`,
    'code_challenge_method=S256',
  ];
  return `sed -n 's|${found}|${psuUrl}/${segment}/authorization/authorize/\\2?${query.join('\\&')}|p'`;
}

function curlOf({ certs, workingDirectory }: CurlLinesParts): string {
  const file = (name: string) => {
    const path = join(certs, name);
    const near = relative(workingDirectory, path);
    return shellWord(near.startsWith('..') ? path : near);
  };
  return `curl -sS --cacert ${file('ca.pem')} --cert ${file('tpp.pem')} --key ${file('tpp.key')}`;
}

const urlOf = ({ apiUrl, segment }: CurlLinesParts, path: string): string =>
  shellWord(`${apiUrl}/${segment}/v1/${path}`);
