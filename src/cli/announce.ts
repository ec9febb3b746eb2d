/** Text that `serve` prints when the gateway is ready: addresses, certificates, and command lines to try it with. */

import { join, relative } from 'node:path';
import type { Writable } from 'node:stream';
import type { ReplayReport } from '../answer/index.js';
import { showClock } from '../app/clock/index.js';
import { allSourcesOf, type Config, dialectIn } from '../app/config/index.js';
import { type Sandgate, upstreamWarnings } from '../app/gateway/index.js';
import { counted, namedProfile, profileText } from '../spec/index.js';
import { storeName } from '../store/index.js';
import { clockText } from './clock-text.js';
import { printLine } from './output.js';
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
  const near = relative(process.cwd(), certificates.dir);
  const dir = near.startsWith('..') ? certificates.dir : near;
  const banks = [
    ...banksOf(config),
    ...(bank.bankProfile === undefined ? [] : [['interface', profileText(bank.bankProfile)]]),
  ];
  const facts = config.verbose
    ? [
        ['API', `${urls.api}  (asks for a client certificate)`],
        ['PSU', `${urls.psu}  (for browsers)`],
        ['page', `${urls.admin}  (calls as they come, each at /exchanges/ID; and the admin API)`],
        ['certificates', `${certificates.dir}  (ca.pem, server.pem; tpp.pem, tpp.key and others)`],
        ...banks,
        ['source', config.source],
        ['stance', `${config.stance}, profile ${config.profile}`],
        ['session', `${session}, recorded in ${storeName(config.store)}`],
      ]
    : [
        ...banks,
        ['API', `${urls.api}  (client certificate: ${join(dir, 'tpp.pem')}, ${join(dir, 'tpp.key')})`],
        ['page', `${urls.admin}  (calls as they come)`],
      ];
  const always = [
    ...(clock.state().mode === 'real' ? [] : [['clock', clockText(showClock(clock))]]),
    ...upstreamWarnings(config).map((text) => ['warning', text]),
  ];
  printLine(out, 'Sandgate is ready.');
  for (const [name = '', text] of [...facts, ...always]) printLine(out, `  ${name.padEnd(12)}  ${text}`);
  printLine(out);
  const first = sandgate.firstCalls(dir, requestId);
  if (config.profile === 'sandbox' && first.areEmulated)
    for (const [does, line] of config.verbose ? first.lines : first.lines.slice(-1))
      printLine(out, `${does}:\n${line}\n`);
  printLine(out, config.verbose ? 'Stop with Ctrl-C.' : 'See more with --verbose. Stop with Ctrl-C.');
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
