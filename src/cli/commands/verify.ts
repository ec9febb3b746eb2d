/** `sandgate verify`: whether a report is signed as it stands, and follows from its recording. */
import { Command } from 'commander';
import {
  type Check,
  checkChain,
  checkContents,
  loadConfig,
  type OpenedSource,
  readReport,
  sourceOfFile,
  sourceOfReport,
  type VerifyParts,
} from '../../app/index.js';
import { isSignedBy, type Report } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { printable } from '../exchange-lines.js';
import { printJson, printLine } from '../output.js';
import { createProgress } from '../progress.js';
import { isFile, openStoreIfAny, readText } from '../report-input.js';

interface Flags {
  readonly store?: string;
  readonly recording?: string;
  readonly baseline?: string;
  readonly key?: string;
  readonly signature?: string;
  readonly signatureOnly?: true;
  readonly json?: true;
}

export default function verify(context: CliContext): Command {
  return new Command('verify')
    .description(
      'Checks a report in JSON: its signature, the chain of its session, and that it follows from the recording.',
    )
    .argument('<REPORT>', 'The report in JSON.')
    .option('--key <PUBLIC>', 'The key that it must be signed with: PEM public key or certificate.')
    .option('--signature <FILE>', 'The detached signature; REPORT.jws by default.')
    .option('--signature-only', 'Only the signature: the recording is elsewhere.')
    .option('--store <PATH>', 'The store that holds the session; that of serve by default.')
    .option(
      '--recording <FILE>',
      'The cassette or HAR, where the report was made of a file that lies elsewhere now.',
    )
    .option('--baseline <REPORT>', 'The older report that this one was compared with.')
    .option('--json', 'Prints JSON.')
    .action(async (file: string, flags: Flags) => {
      if (flags.signatureOnly && flags.key === undefined)
        throw new SandgateError(
          'usage',
          '--signature-only checks nothing without a key: add --key with the one that you trust.',
        );
      const checks = await runChecks(file, flags, context);
      const sound = checks.every((check) => check.sound !== false);
      if (flags.json) printJson(context.stdout, { report: file, sound, checks });
      else print(checks, sound, context);
      if (!sound) context.exitWith(1);
    });
}

async function runChecks(file: string, flags: Flags, context: CliContext): Promise<Check[]> {
  const text = readText(file);
  const report = readReport(text, file);
  const signature = await checkSignature(file, text, flags);
  if (flags.signatureOnly) return [signature];
  const older = readOlder(file, report, flags);
  const { store } = flags;
  const loaded = loadConfig({ flags: { store }, env: context.env });
  const parts: VerifyParts = { loaded, storeName: loaded.config.store };
  const check = (opened: OpenedSource) => contents(report, opened, older, context);
  if (report.head.recording.kind === 'store')
    return [signature, ...(await checkSession(report, parts, check))];
  const opened = sourceOfFile(report, readText(flags.recording ?? report.head.recording.name), parts);
  return [signature, await check(opened)];
}

function readOlder(file: string, report: Report, { baseline }: Flags): Report | null {
  if (baseline === undefined) return null;
  if (report.baseline !== null) return readReport(readText(baseline), baseline);
  throw new SandgateError('usage', `${file} was made without a baseline: leave out --baseline ${baseline}.`);
}

async function checkSession(
  report: Report,
  parts: VerifyParts,
  check: (opened: OpenedSource) => Promise<Check>,
): Promise<Check[]> {
  const store = openStoreIfAny(parts.storeName);
  if (store === null)
    throw new SandgateError(
      'input',
      `There is no store at ${parts.storeName}: name the one that holds the session with --store.`,
    );
  try {
    const chain = checkChain(report, store, parts);
    const { session } = report.head.recording;
    if (!store.sessions().some(({ name }) => name === session)) return [chain];
    return [chain, await check(sourceOfReport(report, store, parts))];
  } finally {
    store.close();
  }
}

async function contents(
  report: Report,
  opened: OpenedSource,
  older: Report | null,
  context: CliContext,
): Promise<Check> {
  const progress = createProgress('Making the report again', opened.expected, context);
  try {
    return await checkContents(report, opened, progress.step, older);
  } finally {
    progress.end();
  }
}

async function checkSignature(file: string, text: string, { key, signature }: Flags): Promise<Check> {
  const name = signature ?? `${file}.jws`;
  const isThere = isFile(name);
  const check = (sound: boolean | null, said: string): Check => ({
    what: 'signature',
    sound,
    text: said,
    details: [],
  });
  if (key === undefined) {
    if (signature !== undefined && !isThere) return check(false, `There is no signature at ${name}.`);
    if (isThere)
      return check(
        null,
        `There is a signature, ${name}; whose it is tells only a key that you trust: add --key.`,
      );
    return check(null, `The report is not signed: there is no ${name}.`);
  }
  if (!isThere) return check(false, `There is no signature at ${name}.`);
  return (await isSignedBy(Buffer.from(text), readText(name), readText(key), key))
    ? check(true, `The report is signed with ${key}, as it stands.`)
    : check(
        false,
        `The signature ${name} does not fit: the report was changed, or signed with another key than ${key}.`,
      );
}

const MARKS = { true: 'sound', false: 'WANTING', null: 'not checked' } as const;
const MOST_SHOWN = 20;

function print(checks: readonly Check[], sound: boolean, { stdout }: CliContext): void {
  for (const { what, sound: fine, text, details } of checks) {
    printLine(stdout, printable(`${what.padEnd(9)}  ${MARKS[`${fine}`].padEnd(11)}  ${text}`));
    for (const detail of details.slice(0, MOST_SHOWN)) printLine(stdout, printable(`  - ${detail.text}`));
    const more = details.length - MOST_SHOWN;
    if (more > 0) printLine(stdout, `  - and ${more} more`);
  }
  const left = checks.filter((check) => check.sound === null).map(({ what }) => what);
  const unchecked = left.length === 0 ? '' : ` Not checked: ${left.join(', ')}.`;
  if (!sound) printLine(stdout, `Found wanting.${unchecked}`);
  else
    printLine(stdout, left.length === 0 ? 'Nothing is wanting.' : `What was checked is sound.${unchecked}`);
}
