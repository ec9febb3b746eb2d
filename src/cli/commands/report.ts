/** `sandgate report`: writes a report on a recording, for people and for programs. */
import { basename } from 'node:path';
import { Command } from 'commander';
import { isFile } from '../../app/config/index.js';
import { drawReport } from '../../app/report/index.js';
import { readReport } from '../../app/verify/index.js';
import { openSigner } from '../../evidence/index.js';
import { readText, readUpTo } from '../../files/index.js';
import {
  DEFAULT_CAPS,
  FORMAT_NAMES,
  findingsAtGate,
  isUntested,
  MOST_STATISTICS_BYTES,
  type Report,
  type ReportOptions,
  readStatistics,
  renderAnnotations,
  type Statistics,
} from '../../report/index.js';
import { counted, dateAt, SandgateError } from '../../spec/index.js';
import type { AdminFlags } from '../admin-client.js';
import type { CliContext } from '../context.js';
import { addOptions, BANK_PROFILE, expecting, type FlagsOf, REJUDGE, several } from '../options.js';
import { isTerminal, printable, printLine } from '../output.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { createProgress } from '../progress.js';
import { TRUST_OPTIONS, unsignedText, withRecording } from '../report-input.js';
import { checkOutputs, type Output, planOutputs } from '../report-outputs.js';
import { openSealFlags, SEAL_OPTIONS } from '../seal-flags.js';
import { STORE_OPTIONS, storeFlags } from '../sessions-store.js';
import { TREND_OPTIONS, writeTrend } from '../trend-report.js';
import { version } from '../version.js';
import { isBroken, writeReport } from '../write-report.js';

/** Levels of evidence that may be required, the higher first: each includes those before it. */
export const REQUIRED = ['witnessed', 'consistent'] as const;

export const HEAD_OPTIONS = [
  ['--title <TEXT>', 'Title of the report.'],
  ['--purpose <TEXT>', 'Purpose of the report, to print on it.', { read: text(500) }],
  ['--prepared-by <TEXT>', 'Who prepared it, to print on it.', { read: text(200) }],
  ['--for <TEXT>', 'Whom it is for, to print on it.', { read: text(200) }],
  [
    '--made-at <TIME>',
    'Timestamp to print: ISO 8601, or now (omitted by default, so that reports are reproducible).',
  ],
] as const;

const OPTIONS = [
  ['--format <LIST>', `Formats, separated by commas: ${FORMAT_NAMES.join(', ')}.`, { read: several }],
  ['--out <PATH>', 'File, or folder for several formats (default: standard output).', { read: several }],
  ['--json', 'Same as --format json.'],
  [
    '--profile <PROFILE>',
    'Judge again under this profile, if it was recorded under another.',
    { choices: ['sandbox', 'production'] },
  ],
  [
    '--fail-on <SEVERITY>',
    'Lowest severity of a finding that makes the exit status 1.',
    { choices: ['must', 'should'] },
  ],
  [
    '--of <PARTY>',
    'With --fail-on or --annotations: only findings of this party.',
    { choices: ['tpp', 'aspsp'] },
  ],
  [
    '--annotations <OF>',
    'Print findings as annotations, beside the files: a line each, at the line of the test that made the call.',
    { choices: ['github'] },
  ],
  ['--baseline <REPORT>', 'Older report in JSON, to tell what is new, still open or fixed.'],
  ['--bank-statistics <FILE>', 'CSV of the availability that the bank publishes, to compare by day.'],
  ['--new-only', 'With --fail-on and --baseline: count only new findings.'],
  ['--require <LEVEL>', 'Level of evidence without which the exit status is 1.', { choices: REQUIRED }],
  ['--sign <KEY>', 'Private key (PEM) that signs a statement of the digests of all files written (.jws).'],
  ...SEAL_OPTIONS,
  [
    '--admin <URL>',
    'Admin listener of the gateway that records, which signs a checkpoint first (default: that of serve, if it runs).',
  ],
  ['--host <HOST>', 'Of a file, report only calls to this host (HOST or HOST:PORT).'],
  ['--segment <NAME>', 'Fixed path segment, if the recording does not say it.'],
  BANK_PROFILE,
  REJUDGE,
  ['--config <FILE>', 'Settings in JSON (rules, waivers, the daily window).'],
  ...OWN_RULES,
  [
    '--tpp <ID>',
    'Only this TPP, and nothing of the others: its organizationIdentifier, or cert:FINGERPRINT.',
  ],
  ...HEAD_OPTIONS,
  [
    '--appendix <COUNT>',
    'Exchanges to list in the appendix (default: 20000).',
    { read: expecting(readCount, 'a whole number is expected.') },
  ],
  ...TREND_OPTIONS,
  ...TRUST_OPTIONS,
  ...STORE_OPTIONS,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function report(context: CliContext): Command {
  return addOptions(
    new Command('report')
      .description('Write a compliance report on a session, a cassette or a HAR file.')
      .argument('[RECORDING...]', 'A session of the store, or a cassette or HAR file; several with --trend.'),
    OPTIONS,
  ).action((names: readonly string[], flags: Flags) => reportOn(names, flags, context));
}

async function reportOn(names: readonly string[], flags: Flags, context: CliContext): Promise<void> {
  const { madeAt, trend, since } = flags;
  if (trend) {
    const time = madeAt === undefined ? undefined : readTime(madeAt, context.clock);
    return writeTrend(names, flags, time, context);
  }
  const [name, ...more] = names;
  if (since !== undefined) throw new SandgateError('report.since-alone', {});
  if (name === undefined) throw new SandgateError('report.no-recording', {});
  if (more.length > 0) throw new SandgateError('report.several', { count: names.length });
  return makeReport(name, flags, context);
}

/** A line of the maker's own for the head of the report. */
function text(most: number) {
  const isFit = (line: string): boolean =>
    line.trim() !== '' && line.length <= most && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(line);
  return expecting(
    (line: string) => (isFit(line) ? line.trim() : undefined),
    `one line of at most ${most} characters is expected, without control characters.`,
  );
}

function readCount(text: string): number | undefined {
  const count = Number(text);
  return text.trim() !== '' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

async function makeReport(name: string, flags: Flags, context: CliContext): Promise<void> {
  const outputs = outputsOf(flags);
  const { baseline, sign: signKey, seal: sealFile, bankStatistics } = flags;
  checkOutputs(outputs, [name, baseline, signKey, sealFile, bankStatistics]);
  checkTogether(flags, outputs);
  if (isTerminal(context.stdout) && outputs.some(({ format, file }) => format === 'pdf' && file === null))
    throw new SandgateError('report.pdf-terminal', {});
  const sign = signKey === undefined ? null : openSigner(readText(signKey), signKey);
  const isAsked = outputs.some(({ format }) => format === 'pdf');
  const sealBy = await openSealFlags(flags, { isAsked, clock: context.clock });
  const options = optionsOf(flags, context);
  const { profile, segment, bankProfile, certs, config: file, host, rejudge, timestampUrl } = flags;
  const judging = { profile, segment, bankProfile, certs, timestampUrl };
  const loaded = await loadJudging(
    {
      flags: { ...storeFlags(flags), ...ownRulesFlags(flags), ...judging },
      env: context.env,
      file,
    },
    context,
  );
  const today = dateAt(context.clock());
  await askForCheckpoint(name, flags, context);
  const made = await withRecording(name, { loaded, today, trust: flags, host, rejudge }, (opened) => {
    for (const text of opened.advice) printLine(context.stderr, text);
    const progress = createProgress('Reading the recording', opened.expected, context);
    return drawReport(opened, options, progress.step).finally(progress.end);
  });
  const seal = sealBy?.(loaded.config.timestampUrl?.href) ?? null;
  const written = await writeReport(made, outputs, { sign, seal }, context);
  const unsigned = unsignedText(made, loaded, flags);
  if (unsigned !== null) printLine(context.stderr, unsigned);
  if (flags.annotations !== undefined) context.stdout.write(printable(renderAnnotations(made, flags.of)));
  if (written.length > 0) {
    if (flags.annotations === undefined) printLine(context.stdout, made.verdict.sentence);
    printLine(context.stdout, `Written: ${written.join(', ')}.`);
  }
  applyGate(made, flags, context);
}

/** Annotations are alone on standard output: of other text there, a recording could make commands. */
function outputsOf({ format = [], json, out = [], annotations }: Flags): readonly Output[] {
  const formats = [...format, ...(json ? ['json'] : [])];
  if (annotations !== undefined && formats.length + out.length === 0) return [];
  const outputs = planOutputs(formats, out);
  if (annotations !== undefined && outputs.some(({ file }) => file === null))
    throw new SandgateError('report.out-mixed', {});
  return outputs;
}

function checkTogether(flags: Flags, outputs: readonly Output[]): void {
  if (flags.sign !== undefined && !outputs.some(({ file }) => file !== null))
    throw new SandgateError('report.sign-alone', {});
  if (flags.newOnly && flags.baseline === undefined) throw new SandgateError('report.new-only-alone', {});
  const isOfNothing = flags.of !== undefined && flags.annotations === undefined;
  if ((flags.newOnly || isOfNothing) && flags.failOn === undefined)
    throw new SandgateError('report.gate-alone', {});
}

function optionsOf(flags: Flags, context: CliContext): ReportOptions {
  const { baseline, bankStatistics, appendix, tpp } = flags;
  return {
    ...headOf(flags, context),
    tpp,
    ...(baseline === undefined
      ? {}
      : { baseline: { name: baseline, report: readReport(readText(baseline), baseline) } }),
    ...(bankStatistics === undefined ? {} : { statistics: statisticsIn(bankStatistics) }),
    ...(appendix === undefined ? {} : { caps: { ...DEFAULT_CAPS, appendix } }),
  };
}

function statisticsIn(file: string): Statistics {
  const bytes = readUpTo(file, MOST_STATISTICS_BYTES);
  if (bytes === null) throw new SandgateError('file.too-large', { file, most: '1 MiB' });
  return readStatistics(bytes, basename(file));
}

export function headOf(
  { title, purpose, preparedBy, for: madeFor, madeAt }: FlagsOf<typeof HEAD_OPTIONS>,
  { clock }: CliContext,
): ReportOptions {
  return {
    ...{ version: version(), title, purpose, preparedBy, madeFor },
    madeAt: madeAt === undefined ? undefined : readTime(madeAt, clock),
  };
}

function readTime(text: string, clock: () => number): string {
  const time = text === 'now' ? clock() : Date.parse(text);
  if (Number.isNaN(time)) throw new SandgateError('report.made-at', { text });
  return new Date(time).toISOString();
}

/** It signs within some ms; one that hangs is not waited for. */
const ANSWER_MS = 2_000;

/** `name`: of the recording. Where no gateway is named, there need not be one. */
export async function askForCheckpoint(name: string, flags: AdminFlags, context: CliContext): Promise<void> {
  if (isFile(name) && flags.admin === undefined) return;
  const { openAdminClient } = await import('../admin-client.js');
  try {
    const client = openAdminClient(flags, context);
    await client.ask({ method: 'POST', path: '/api/evidence/checkpoint', body: {}, timeout: ANSWER_MS });
  } catch (error) {
    if (!(error instanceof SandgateError) || flags.admin !== undefined || context.signal.aborted) throw error;
  }
}

type Gate = Pick<Flags, 'require' | 'sign' | 'seal' | 'failOn' | 'of' | 'newOnly'>;

export function applyGate(made: Report, flags: Gate, context: CliContext) {
  const failures = [...ofEvidence(made, flags), ...ofFindings(made, flags)];
  for (const failure of failures) printLine(context.stderr, `Failed${failure}`);
  if (failures.length > 0) context.exitWith(1);
}

/** A report on a broken chain proves nothing, whatever it found: no option lets it pass. */
function ofEvidence(made: Report, { require, sign, seal }: Gate): string[] {
  const { level } = made.evidence;
  const unsigned = sign === undefined && seal === undefined ? '' : ' Nothing was signed.';
  if (isBroken(made)) return [`: the chain of the recording is broken.${unsigned}`];
  if (require === undefined) return [];
  const accepted: readonly string[] = REQUIRED.slice(0, REQUIRED.indexOf(require) + 1);
  return accepted.includes(level) ? [] : [` (--require ${require}): the recording is ${level}.`];
}

function ofFindings(made: Report, { failOn, of, newOnly }: Gate): string[] {
  if (failOn === undefined) return [];
  const untested = isUntested(made, of);
  const found = findingsAtGate(made, { failOn, newOnly: newOnly === true, of });
  if (!untested && found === 0) return [];
  return [` (--fail-on ${failOn}): ${untested ? 'nothing was judged' : counted(found, 'finding')}.`];
}
