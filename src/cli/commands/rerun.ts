/** `sandgate rerun`: sends a recording again and compares the answers. */
import { Command } from 'commander';
import { type Config, loadConfig, readDuration } from '../../app/config/index.js';
import {
  isBreak,
  openBank,
  openEmulator,
  type RerunParts,
  type RerunReport,
  readHistory,
  readNoise,
  renderHtml,
  renderJunit,
  rerunRecording,
  withHistory,
  writeHistory,
} from '../../app/rerun/index.js';
import { systemParts } from '../../app/system/index.js';
import { SandgateError } from '../../spec/index.js';
import { parseFilter } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, BANK_PROFILE, expecting, type FlagsOf } from '../options.js';
import { fileToWrite, isTerminal, printLine, widthOf } from '../output.js';
import { OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { createPerson, keepNoise, type NamedSource, readPlaces, withRerunSource } from '../rerun-source.js';
import { renderPlan, renderRerun, skippedAdvice, summaryOf } from '../rerun-table.js';
import { openLender, TOKEN_OPTIONS } from '../rerun-token.js';
import { STORE_OPTIONS, storeFlags } from '../sessions-store.js';
import { writeFile } from '../write-file.js';

const MOST_MS = 600_000;

const OPTIONS = [
  ['--against <URL>', 'Base URL of a bank’s API, or emulator for the built-in one.', { required: true }],
  ['--send-writes', 'Also send a bank the calls that change something there: consents, payments, deletions.'],
  ['--allow-skipped', 'Exit with status 0 even if calls were skipped.'],
  ['--sca <WAY>', 'How the PSU authorises; manual prints the address and waits.', { choices: ['manual'] }],
  ...TOKEN_OPTIONS,
  ['--psu <URL>', 'Address at which the PSU authorises (default: from the links of the answers).'],
  ['--cert <FILE>', 'Client certificate (PEM; default: a test certificate).'],
  ['--key <FILE>', 'Private key of that certificate (PEM).'],
  ['--ca <FILE>', 'CA of the bank’s server certificate (PEM).'],
  [
    '--format <FORMAT>',
    'Format of the result.',
    { choices: ['table', 'json', 'junit', 'html'], fallback: 'table' },
  ],
  ['--json', 'Same as --format json.'],
  ['--out <FILE>', 'File for the result (default: standard output).'],
  ['--noise <FILE>', 'File of places whose values may differ from run to run.'],
  ['--learn-noise <FILE>', 'Send reads twice, and add the places that differ to this file.'],
  ['--history <FILE>', 'File that keeps the differences of earlier runs: only new ones fail the run.'],
  ['--only <FILTER>', 'Compare only calls that match, such as operation:accounts.*'],
  [
    '--timeout <TIME>',
    'Time for each call, with its unit: 500ms, 30s, 2m.',
    {
      read: expecting(readTime, 'A time with its unit is expected, as in 500ms, 30s or 2m; 10m at most.'),
      ...{ fallback: 30_000, shown: '30s' },
    },
  ],
  ['--certs <DIR>', 'Folder of the test certificates.'],
  ['--segment <NAME>', 'Fixed path segment, if the recording does not say it.'],
  ...OWN_RULES,
  BANK_PROFILE,
  ['--config <FILE>', 'Settings in JSON.'],
  ...STORE_OPTIONS,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function rerun(context: CliContext): Command {
  return addOptions(
    new Command('rerun')
      .description('Send the calls of a recording again, and compare the answers with the recorded ones.')
      .argument('<RECORDING>', 'A session of the store, or a cassette or HAR file.'),
    OPTIONS,
  ).action((recording: string, flags: Flags) => rerunWith(recording, flags, context));
}

function readTime(text: string): number | undefined {
  const ms = readDuration(text) ?? 0;
  return ms >= 1 && ms <= MOST_MS ? ms : undefined;
}

async function rerunWith(name: string, flags: Flags, context: CliContext): Promise<void> {
  const { certs, segment, bankProfile, config: file } = flags;
  const load = (more: Record<string, unknown> = {}): Config =>
    loadConfig({
      flags: { ...more, ...storeFlags(flags), ...ownRulesFlags(flags), certs, segment, bankProfile },
      env: context.env,
      file,
    }).config;
  const known =
    flags.learnNoise === undefined ? [] : readPlaces(flags.learnNoise, readNoise, 'may be missing');
  const declared = flags.noise === undefined ? [] : readPlaces(flags.noise, readNoise, 'must be there');
  const past = flags.history === undefined ? [] : readPlaces(flags.history, readHistory, 'may be missing');
  const only = flags.only === undefined ? undefined : parseFilter(flags.only);
  const lender = openLender(flags, context);
  const person = openPerson(flags, context);
  const fresh = await withRerunSource(name, load(), (source) =>
    rerunRecording({
      source,
      noise: [...known, ...declared],
      learn: flags.learnNoise !== undefined,
      sendWrites: flags.sendWrites === true,
      only,
      lender,
      askPerson: person?.ask,
      timeout: flags.timeout,
      signal: context.signal,
      ...openingOf(source, flags, load, context),
    }),
  ).finally(() => {
    showProgress(context, '');
    person?.close();
  });
  if (flags.learnNoise !== undefined) await keepNoise(flags.learnNoise, known, fresh, context);
  const dated = flags.history === undefined ? null : withHistory(fresh, past);
  const report = dated?.report ?? fresh;
  await print(report, flags, context);
  // Nothing counts as known that was not reported.
  if (flags.history !== undefined && dated !== null)
    await writeFile(flags.history, [writeHistory(dated.places)], 0o600);
  if (report.calls.some(({ differences }) => differences.some(isBreak))) context.exitWith(1);
  if (report.counts.skipped === 0 || flags.allowSkipped) return;
  printLine(context.stderr, skippedAdvice(report));
  context.exitWith(1);
}

function openPerson({ sca, against, sendWrites }: Flags, context: CliContext) {
  if (sca === undefined) return null;
  if (against !== 'emulator' && sendWrites !== true) throw new SandgateError('rerun.sca-without-writes', {});
  return createPerson(context, () => showProgress(context, ''));
}

function openingOf(
  source: NamedSource,
  flags: Flags,
  load: (more?: Record<string, unknown>) => Config,
  context: CliContext,
): Pick<RerunParts, 'openTarget' | 'system' | 'onCall' | 'onPlan'> {
  const system = systemParts('error', (line) => void context.stderr.write(line), context.clock);
  let told = 0;
  return {
    system,
    // Standard output is the report's.
    onPlan: (plan, against) => void context.stderr.write(renderPlan(plan, against)),
    onCall: (number, of) => {
      const now = context.clock();
      if (number < of && now - told < EVERY_MS) return;
      told = now;
      showProgress(context, `Call ${number} of ${of}`);
    },
    openTarget: async ({ directLinks }) => {
      if (flags.against !== 'emulator') return openBank({ ...flags }, load(), context.clock());
      const { stance, profile, dailyWindow, dailyTimeZone } = source.settings;
      // The bank that is asked must be set as the one that was recorded.
      const link = directLinks === undefined ? {} : { scaLink: directLinks ? 'direct' : 'discovery' };
      const settings = { stance, profile, dailyWindow, dailyTimeZone, ...link };
      const { segment, profile: bankProfile } = source.dialect;
      const config = load({ ...settings, segment });
      return openEmulator({ ...config, segment, bankProfile }, system, (text) => showProgress(context, text));
    },
  };
}

const EVERY_MS = 100;

/** On a terminal only; an empty text clears the line. */
function showProgress({ stderr }: CliContext, text: string): void {
  if (isTerminal(stderr)) stderr.write(`\r\u001b[2K${text}`);
}

async function print(report: RerunReport, flags: Flags, { stdout }: CliContext): Promise<void> {
  const format = flags.json === true ? 'json' : flags.format;
  const out = fileToWrite(flags.out);
  if (out === undefined) {
    stdout.write(render(report, format, widthOf(stdout)));
    return;
  }
  await writeFile(out, [render(report, format)]);
  printLine(stdout, summaryOf(report));
  printLine(stdout, `Written to ${out}.`);
}

function render(report: RerunReport, format: Flags['format'], width?: number): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'junit':
      return renderJunit(report);
    case 'html':
      return renderHtml(report);
    case 'table':
      return renderRerun(report, width);
  }
}
