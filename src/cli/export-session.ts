/** `sandgate sessions export`: a session as a HAR or a cassette. */

import { Command } from 'commander';
import { dialectIn, loadConfig } from '../app/config/index.js';
import { EXPORT_FORMATS, type ExportFormat, exportSession } from '../app/sessions/index.js';
import { readRecording } from '../exchange/recording/index.js';
import { readText } from '../files/index.js';
import { counted, SandgateError } from '../spec/index.js';
import { parseFilter } from '../store/index.js';
import type { CliContext } from './context.js';
import { addOptions, BANK_PROFILE, type FlagsOf } from './options.js';
import { fileToWrite, printable, printJson, printLine } from './output.js';
import { createProgress } from './progress.js';
import { sendAll } from './send.js';
import { type SessionFlags, sessionOf, warnOfBreaks, withStore } from './sessions-store.js';
import { version } from './version.js';
import { writeFile } from './write-file.js';

const OPTIONS = [
  [
    '--format <FORMAT>',
    'Format of the file (default: har if --out ends in .har, else cassette).',
    { choices: EXPORT_FORMATS },
  ],
  ['--out <FILE>', 'File to write (default: standard output).'],
  ['--where <FILTER>', 'Write only exchanges that match, as in sessions show.'],
  BANK_PROFILE,
  ['--verdicts', 'Write the verdict of each rule to a cassette, not only the findings.'],
  ['--stable', 'Write a cassette that is the same for each recording of the same journey.'],
  [
    '--over <FILE>',
    'Update this cassette, and change only lines whose meaning changed; with --out, write another file.',
    { conflicts: 'stable' },
  ],
] as const;
type Flags = FlagsOf<typeof OPTIONS> & SessionFlags;

export function exportCommand(context: CliContext): Command {
  return addOptions(
    new Command('export')
      .description('Write a session to a file: a cassette for git and replay, or a HAR for other tools.')
      .argument('<SESSION>', 'Name of the session.'),
    OPTIONS,
  ).action((name: string, flags: Flags) =>
    withStore(flags, context, 'read', async (store, path) => {
      const session = await sessionOf(store, name, path);
      const { verdicts } = flags;
      const out = fileToWrite(flags.out ?? flags.over);
      const format = flags.format ?? (out?.toLowerCase().endsWith('.har') ? 'har' : 'cassette');
      if (format === 'har' && (flags.stable === true || flags.over !== undefined))
        throw new SandgateError('session.export-har', {
          flag: flags.stable === true ? '--stable' : '--over',
        });
      const over = flags.over === undefined ? undefined : readCassetteText(flags.over);
      await warnOfBreaks(store.chains.verify(name), name, context);
      const { config } = loadConfig({ flags: { bankProfile: flags.bankProfile }, env: context.env });
      const seen = { looked: 0, taken: 0 };
      const chunks = exportSession(store, session, {
        format,
        version: version(),
        dialect: dialectIn(config),
        verdicts: verdicts === true,
        stable: flags.stable === true,
        ...(over === undefined ? {} : { over }),
        ...(flags.where === undefined ? {} : { where: parseFilter(flags.where) }),
        onExchange: (taken) => {
          seen.looked += 1;
          if (taken) seen.taken += 1;
        },
      });
      const progress = createProgress(`Exporting ${printable(name)}`, session.exchanges, context);
      const step = () => progress.step(seen.looked);
      try {
        if (out === undefined) await sendAll(context, stepping(chunks, step));
        else await writeFile(out, stepping(chunks, step));
      } finally {
        progress.end();
      }
      if (out !== undefined)
        tell({ session: name, format, file: out, exchanges: seen.taken }, flags, context);
    }),
  );
}

function readCassetteText(file: string): string {
  const text = readText(file);
  if (readRecording(text, { name: file }).format === 'cassette') return text;
  throw new SandgateError('session.export-har', { flag: '--over' });
}

type Texts = AsyncIterable<string>;
type Step = () => Promise<void> | undefined;

async function* stepping(chunks: Texts, step: Step): AsyncGenerator<string> {
  for await (const chunk of gathered(chunks)) {
    yield chunk;
    await step();
  }
}

/** In characters: to write an exchange alone costs more than to make it. */
const CHUNK = 262_144;

async function* gathered(chunks: Texts): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}

function tell(
  result: { session: string; format: ExportFormat; file: string; exchanges: number },
  { json }: Flags,
  { stdout }: CliContext,
): void {
  if (json) printJson(stdout, result);
  else {
    const { session, exchanges, file, format } = result;
    printLine(stdout, `Wrote ${counted(exchanges, 'exchange')} of ${session} to ${file} (${format}).`);
  }
}
