/** First calls at a gateway, as command lines for a shell: they work as they stand at the bank that runs. */
import { join } from 'node:path';
import { type Dialect, type OperationId, SANDBOX, shellWord } from '../../spec/index.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import type { SourceName } from '../config/values.js';
import type { Answering } from './answering.js';

interface FirstCallsParts {
  readonly bank: Config['bank'];
  readonly dialect: Dialect;
  readonly firstFor: (operation: OperationId) => SourceName;
  readonly urls: { readonly api: string; readonly psu: string };
  readonly dir: string;
  readonly requestId: string;
}

export interface FirstCalls {
  readonly lines: readonly CurlLine[];
  /** Whether the emulator answers them. */
  readonly areEmulated: boolean;
  /** Whether a journey can be made without anybody: the emulator answers all of it. */
  readonly canMakeJourney: boolean;
}

type CurlLine = readonly [does: string, line: string];

const CALLED = {
  sandbox: ['oauth.token', 'accounts.list'],
  living: ['consents.create', 'oauth.authorize'],
} as const satisfies Record<Config['bank'], readonly OperationId[]>;
const JOURNEY: readonly OperationId[] = [...new Set(Object.values(CALLED).flat())];

/** Whether no bank is asked for an authorisation, nor for the document that leads to it. */
export const isAuthorisedHere = ({ dialect, firstFor }: Pick<FirstCallsParts, 'dialect' | 'firstFor'>) =>
  firstFor('oauth.authorize') === 'emulator' &&
  (!dialect.offers('oauth.discovery') || firstFor('oauth.discovery') === 'emulator');

/** `dir`: as the lines name the folder of certificates. */
export function firstCallsOf(
  parts: {
    readonly config: Config;
    readonly answering: Answering;
    readonly urls: () => FirstCallsParts['urls'];
  },
  dir: string,
  requestId: string,
): FirstCalls {
  const { switches, firstFor } = parts.answering;
  const { bank } = switches.current();
  const dialect = dialectIn(parts.config);
  return firstCalls({ bank, dialect, firstFor, urls: parts.urls(), dir, requestId });
}

export function shownFirstCalls(parts: Parameters<typeof firstCallsOf>[0], dir: string, requestId: string) {
  const { lines, canMakeJourney } = firstCallsOf(parts, dir, requestId);
  return { lines, canMakeJourney, certificates: dir };
}

/** Most lines are for OAuth at the emulator; of other ways to a token, the bank's own documentation tells. */
function firstCalls(parts: FirstCallsParts): FirstCalls {
  const { bank, dialect, firstFor } = parts;
  const { approaches, offers, isTokenFirst } = dialect;
  const areEmulated = (calls: readonly OperationId[]): boolean =>
    approaches.has('oauth') && calls.every((id) => offers(id) && firstFor(id) === 'emulator');
  const canMakeJourney = !isTokenFirst && areEmulated(JOURNEY) && isAuthorisedHere(parts);
  if (areEmulated(CALLED[bank])) return { lines: LINES[bank](parts), areEmulated: true, canMakeJourney };
  if (!offers('consents.create') || isTokenFirst) return { lines: [], areEmulated: false, canMakeJourney };
  const line = ['Create a consent; its answer says how its PSU authorises it', consentLine(parts)] as const;
  return { lines: [line], areEmulated: firstFor('consents.create') === 'emulator', canMakeJourney };
}

/** Verifier and challenge of RFC 7636 appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const RETURN_TO = 'https://tpp.example/back';
export const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const TAKE_TOKEN = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`;

/** The fixed identifiers of the sandbox need no PSU. */
function sandboxLines({ urls, dir, dialect: { pathOf }, requestId }: FirstCallsParts): readonly CurlLine[] {
  const curl = curlOf(dir);
  const token = [
    curl,
    '-d grant_type=authorization_code',
    '-d code=AIS_VALID_CODE',
    `-d client_id=${SANDBOX.clientId}`,
    `-d code_verifier=${VERIFIER}`,
    shellWord(urls.api + pathOf('oauth.token')),
  ].join(' ');
  const accounts = [
    curl,
    `-H "Authorization: Bearer $(${token} | ${TAKE_TOKEN})"`,
    `-H 'Consent-Id: ${SANDBOX.validConsent}'`,
    `-H 'X-Request-ID: ${requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    shellWord(urls.api + pathOf('accounts.list')),
  ].join(' ');
  return [
    ['Get a token', token],
    ['Get a token, and list the accounts', accounts],
  ];
}

function consentLine({ urls, dir, dialect: { pathOf }, requestId }: FirstCallsParts): string {
  return [
    curlOf(dir),
    `-H 'X-Request-ID: ${requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    `-H 'TPP-Redirect-URI: ${RETURN_TO}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(CONSENT)}'`,
    shellWord(urls.api + pathOf('consents.create')),
  ].join(' ');
}

/** At the living bank a resource has an id of its own, and its PSU authorises it in a browser. */
function livingLines(parts: FirstCallsParts): readonly CurlLine[] {
  const { urls, dialect } = parts;
  return [
    [
      'Create a consent, and print the address at which its PSU authorises it: open that in a browser',
      `${consentLine(parts)} | ${takeLink(urls.psu, dialect.pathOf)}`,
    ],
  ];
}

const LINES = { sandbox: sandboxLines, living: livingLines } as const;

/** Turns a creation into the authorize URL, whether its link is that one or leads to a discovery document. */
function takeLink(psuUrl: string, pathOf: Dialect['pathOf']): string {
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
  return `sed -n 's|${found}|${psuUrl}${pathOf('oauth.authorize', { authorisationId: '\\2' })}?${query.join('\\&')}|p'`;
}

function curlOf(dir: string): string {
  const file = (name: string) => shellWord(join(dir, name));
  return `curl -sS --cacert ${file('ca.pem')} --cert ${file('tpp.pem')} --key ${file('tpp.key')}`;
}
