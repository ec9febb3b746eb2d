/** What `serve` prints when the gateway is ready: addresses, certificates, and command lines to try it with. */
import type { Writable } from 'node:stream';
import { createRoute } from '../answer/index.js';
import { showClock } from '../app/clock/index.js';
import { allSourcesOf, type Config } from '../app/config/index.js';
import { type Sandgate, upstreamWarnings } from '../app/gateway/index.js';
import type { OperationId } from '../spec/index.js';
import { storeName } from '../store/index.js';
import { clockText } from './clock-text.js';
import { curlLines } from './curl-lines.js';
import { printLine } from './output.js';

export function announce(sandgate: Sandgate, config: Config, out: Writable, requestId: string): void {
  const { urls, session, certificates, clock } = sandgate;
  if (config.json) {
    const { api, psu, admin } = urls;
    printLine(out, JSON.stringify({ ready: true, api, psu, admin, session }));
    return;
  }
  const facts = [
    ['API', `${urls.api}  (asks for a client certificate)`],
    ['PSU', `${urls.psu}  (for browsers)`],
    ['page', `${urls.admin}  (calls as they come, and the admin API)`],
    ['certificates', `${certificates.dir}  (ca.pem, server.pem; tpp.pem, tpp.key and others)`],
    ...banksOf(config),
    ['source', config.source],
    ['stance', `${config.stance}, profile ${config.profile}`],
    ['session', `${session}, recorded in ${storeName(config.store)}`],
    ...(clock.state().mode === 'real' ? [] : [['clock', clockText(showClock(clock))] as const]),
  ] as const;
  printLine(out, 'Sandgate is ready.');
  for (const [name, text] of facts) printLine(out, `  ${name.padEnd(12)}  ${text}`);
  for (const text of upstreamWarnings(config)) printLine(out, `  ${'warning'.padEnd(12)}  ${text}`);
  printLine(out);
  if (config.profile === 'sandbox' && isEmulatorAsked(config)) {
    const lines = curlLines({
      bank: config.bank,
      apiUrl: urls.api,
      psuUrl: urls.psu,
      segment: config.segment,
      certs: certificates.dir,
      workingDirectory: process.cwd(),
      requestId,
    });
    for (const [does, line] of lines) printLine(out, `${does}:\n${line}\n`);
  }
  printLine(out, 'Stop with Ctrl-C.');
}

const BANKS = {
  sandbox: 'sandbox: the fixed identifiers, nothing is remembered',
  living: 'living: what happens to consents and payments is remembered',
} as const;

/** Those that may be asked. */
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

/** For all calls of the command lines. */
function isEmulatorAsked(config: Config): boolean {
  const sourceFor = createRoute(config.sources ?? {}, () => config.source);
  return CALLED[config.bank].every((id) => sourceFor(id).startsWith('emulator'));
}
