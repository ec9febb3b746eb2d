/** Text that `serve` prints when the gateway is ready: addresses, certificates, and command lines to try it with. */

import { join, relative } from 'node:path';
import type { Writable } from 'node:stream';
import { createRoute, type ReplayReport } from '../answer/index.js';
import { showClock } from '../app/clock/index.js';
import { allSourcesOf, type Config, dialectIn } from '../app/config/index.js';
import { type Sandgate, upstreamWarnings } from '../app/gateway/index.js';
import {
  counted,
  type Dialect,
  namedProfile,
  type OperationId,
  profileText,
  SANDBOX,
} from '../spec/index.js';
import { storeName } from '../store/index.js';
import { clockText } from './clock-text.js';
import { printLine, shellWord } from './output.js';
import { renderTable } from './table.js';

export function announce(sandgate: Sandgate, config: Config, out: Writable, requestId: string): void {
  const { urls, session, certificates, clock } = sandgate;
  const dialect = dialectIn(config);
  const bank = dialect.profile === undefined ? {} : { bankProfile: namedProfile(dialect.profile) };
  if (config.json) {
    const { api, psu, admin } = urls;
    printLine(out, JSON.stringify({ ready: true, api, psu, admin, session, ...bank }));
    return;
  }
  const facts = [
    ['API', `${urls.api}  (asks for a client certificate)`],
    ['PSU', `${urls.psu}  (for browsers)`],
    ['page', `${urls.admin}  (calls as they come, each at /exchanges/ID; and the admin API)`],
    ['certificates', `${certificates.dir}  (ca.pem, server.pem; tpp.pem, tpp.key and others)`],
    ...banksOf(config),
    ...(bank.bankProfile === undefined ? [] : [['interface', profileText(bank.bankProfile)] as const]),
    ['source', config.source],
    ['stance', `${config.stance}, profile ${config.profile}`],
    ['session', `${session}, recorded in ${storeName(config.store)}`],
    ...(clock.state().mode === 'real' ? [] : [['clock', clockText(showClock(clock))] as const]),
  ] as const;
  printLine(out, 'Sandgate is ready.');
  for (const [name, text] of facts) printLine(out, `  ${name.padEnd(12)}  ${text}`);
  for (const text of upstreamWarnings(config)) printLine(out, `  ${'warning'.padEnd(12)}  ${text}`);
  printLine(out);
  if (config.profile === 'sandbox' && isEmulatorAsked(config, dialect)) {
    const tried = config.bank === 'living' ? livingLines : sandboxLines;
    for (const [does, line] of tried(sandgate, dialect, requestId)) printLine(out, `${does}:\n${line}\n`);
  }
  printLine(out, 'Stop with Ctrl-C.');
}

const BANKS = {
  sandbox: 'sandbox: the fixed identifiers, nothing is remembered',
  living: 'living: what happens to consents and payments is remembered',
} as const;

function banksOf(config: Config): readonly (readonly [string, string])[] {
  const asked = allSourcesOf(config);
  return [
    ...(asked.has('upstream') && config.upstream !== undefined
      ? [['bank', config.upstream.href] as const]
      : []),
    ...(asked.has('emulator') ? [['bank', BANKS[config.bank]] as const] : []),
    ...(asked.has('replay') && config.replay !== undefined ? [['recording', config.replay] as const] : []),
  ];
}

const CALLED = {
  sandbox: ['oauth.token', 'accounts.list'],
  living: ['consents.create', 'oauth.authorize'],
} as const satisfies Record<Config['bank'], readonly OperationId[]>;

/** The lines are for OAuth at the emulator; of other ways to a token or to the PSU, the bank's own documentation tells. */
function isEmulatorAsked(config: Config, { offers, approaches }: Dialect): boolean {
  if (!approaches.has('oauth') || !CALLED[config.bank].every(offers)) return false;
  const sourceFor = createRoute(config.sources ?? {}, () => config.source);
  return CALLED[config.bank].every((id) => sourceFor(id).startsWith('emulator'));
}

type CurlLine = readonly [does: string, line: string];

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

/** The fixed identifiers of the sandbox need no PSU. */
function sandboxLines(
  { urls, certificates }: Sandgate,
  { pathOf }: Dialect,
  requestId: string,
): readonly CurlLine[] {
  const curl = curlOf(certificates.dir);
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
    ['List the accounts with it', accounts],
  ];
}

/** Command lines for the living bank: a resource has an id of its own, and its PSU authorises it in a browser. */
function livingLines(
  { urls, certificates }: Sandgate,
  { pathOf }: Dialect,
  requestId: string,
): readonly CurlLine[] {
  const consent = [
    curlOf(certificates.dir),
    `-H 'X-Request-ID: ${requestId}'`,
    "-H 'PSU-IP-Address: 192.0.2.1'",
    `-H 'TPP-Redirect-URI: ${RETURN_TO}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(CONSENT)}'`,
    shellWord(urls.api + pathOf('consents.create')),
  ].join(' ');
  return [
    ['Create a consent', consent],
    [
      'Create one, and print where its PSU authorises it: open that in a browser',
      `${consent} | ${takeLink(urls.psu, pathOf)}`,
    ],
  ];
}

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

function curlOf(certs: string): string {
  const file = (name: string) => {
    const path = join(certs, name);
    const near = relative(process.cwd(), path);
    return shellWord(near.startsWith('..') ? path : near);
  };
  return `curl -sS --cacert ${file('ca.pem')} --cert ${file('tpp.pem')} --key ${file('tpp.key')}`;
}

const MOST_ROWS = 20;

/** Ends with a line end. `width` in characters; absent in a pipe. */
export function renderReplaySummary(report: ReplayReport, width?: number): string {
  const { recording, exchanges, used, unused, undecided, misses, missed } = report;
  const text = `${recording}: ${used.length} of ${counted(exchanges, 'recorded exchange')} used, ${unused.length} not, ${counted(misses, 'call')} without a recorded answer.\n`;
  return [
    text,
    listOf(
      'Not used:',
      unused.map(({ method, path, status }) => [method, path, String(status)]),
      width,
    ),
    listOf(
      'Calls without a recorded answer:',
      missed.map(({ method, path, text: why }) => [method, path, why]),
      width,
    ),
    ...undecided.slice(0, MOST_ROWS).map((sentence) => `\n${sentence}\n`),
  ].join('');
}

function listOf(title: string, rows: readonly (readonly string[])[], width: number | undefined): string {
  if (rows.length === 0) return '';
  const columns = ['method', 'path', ''];
  const more = rows.length > MOST_ROWS ? `and ${rows.length - MOST_ROWS} more\n` : '';
  return `\n${title}\n${renderTable(columns, rows.slice(0, MOST_ROWS), width)}${more}`;
}
