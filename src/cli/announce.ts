/** What `serve` prints when the gateway is ready: addresses, certificates, and command lines to try it with. */
import { showClock } from '../app/clock/index.js';
import type { Config } from '../app/config/index.js';
import { type Sandgate, upstreamWarnings } from '../app/gateway/index.js';
import { storeName } from '../store/index.js';
import { clockText } from './clock-text.js';
import type { CliContext } from './context.js';
import { curlLines } from './curl-lines.js';
import { printLine } from './output.js';

export function announce(
  sandgate: Sandgate,
  config: Config,
  { stdout }: CliContext,
  requestId: string,
): void {
  const { urls, session, certificates, clock } = sandgate;
  if (config.json) {
    const { api, psu, admin } = urls;
    printLine(stdout, JSON.stringify({ ready: true, api, psu, admin, session }));
    return;
  }
  const facts = [
    ['API', `${urls.api}  (asks for a client certificate)`],
    ['PSU', `${urls.psu}  (for browsers)`],
    ['admin', urls.admin],
    ['certificates', `${certificates.dir}  (ca.pem, server.pem; tpp.pem, tpp.key and others)`],
    ['session', `${session}, recorded in ${storeName(config.store)}`],
    ...(clock.state().mode === 'real' ? [] : [['clock', clockText(showClock(clock))] as const]),
  ] as const;
  printLine(stdout, 'Sandgate is ready.');
  for (const [name, text] of facts) printLine(stdout, `  ${name.padEnd(12)}  ${text}`);
  for (const text of upstreamWarnings(config)) printLine(stdout, `  ${'warning'.padEnd(12)}  ${text}`);
  printLine(stdout);
  if (config.profile === 'sandbox') {
    const lines = curlLines({
      apiUrl: urls.api,
      segment: config.segment,
      certs: certificates.dir,
      workingDirectory: process.cwd(),
      requestId,
    });
    printLine(stdout, 'Get a token:');
    printLine(stdout, lines.token);
    printLine(stdout);
    printLine(stdout, 'List the accounts with it:');
    printLine(stdout, lines.accounts);
    printLine(stdout);
  }
  printLine(stdout, 'Stop with Ctrl-C.');
}
