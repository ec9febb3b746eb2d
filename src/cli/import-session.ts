/** `sandgate sessions import`: a HAR or a cassette as a session of the store. */

import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command } from 'commander';
import { dialectIn } from '../app/config/index.js';
import { type ImportParts, importRecording } from '../app/sessions/index.js';
import type { RecordingFile } from '../exchange/index.js';
import { openRecordingFile } from '../exchange/recording/index.js';
import { counted, SandgateError } from '../spec/index.js';
import { isSessionName, SESSION_NAME_FORM } from '../store/index.js';
import type { CliContext } from './context.js';
import { withInput } from './input-file.js';
import { addOptions, BANK_PROFILE, type FlagsOf } from './options.js';
import { printable, printJson, printLine } from './output.js';
import { loadJudging } from './own-rules-flags.js';
import { createProgress } from './progress.js';
import { type SessionFlags, withStore } from './sessions-store.js';

const OPTIONS = [
  ['--session <NAME>', 'Name of the session (default: that of the file).'],
  ['--host <HOST>', 'Import only calls to this host (HOST or HOST:PORT).'],
  ['--segment <NAME>', 'Fixed path segment, if the file does not say it.'],
  BANK_PROFILE,
  ['--pseudonymise', 'Store pseudonyms for account numbers, and placeholders for names and texts.'],
  ['--config <FILE>', 'Settings in JSON, by which traffic recorded by other programs is judged.'],
] as const;
type Flags = FlagsOf<typeof OPTIONS> & SessionFlags;

export function importCommand(context: CliContext): Command {
  return addOptions(
    new Command('import')
      .description('Import a HAR or cassette file into the store, as a session of its own.')
      .argument('<FILE>', 'HAR or cassette file; - reads standard input.'),
    OPTIONS,
  ).action(async (file: string, flags: Flags) => {
    const name = file === '-' ? 'Standard input' : file;
    const { host, segment, bankProfile, pseudonymise, config: configFile } = flags;
    const { config } = await loadJudging(
      { flags: { segment, bankProfile, pseudonymise }, env: context.env, file: configFile },
      context,
    );
    const options = { name, dialect: dialectIn(config), host };
    await withInput(file, context, async (bytes) => {
      const recording = openRecordingFile(bytes, options);
      const session = flags.session ?? recording.session ?? nameOf(file);
      if (!isSessionName(session))
        throw new SandgateError('session.name', { name: printable(session), form: SESSION_NAME_FORM });
      await withStore(flags, context, 'make', (store) =>
        importAll(recording, { store, config, session, file: name, now: context.clock() }, context),
      );
      tell(session, name, recording, flags, context);
    });
  });
}

/** `traffic.har` is `traffic`. */
function nameOf(file: string): string {
  const name = basename(file === '-' ? 'import' : file).replace(/\.(?:har|json|cassette)$/i, '');
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 64) || 'import';
}

/** Interrupted, it takes back what it has brought in. */
async function importAll(recording: RecordingFile, parts: ImportParts, context: CliContext): Promise<void> {
  const progress = createProgress(`Importing ${printable(parts.file)}`, recording.calls.length, context);
  try {
    for await (const done of importRecording(recording, parts)) {
      await progress.step(done);
      // A gateway on the same store gets its turn, and so does a signal.
      await nextTurn();
      if (context.signal.aborted)
        throw new SandgateError('run.interrupted', { what: `nothing of ${parts.file} was imported` });
    }
  } finally {
    progress.end();
  }
}

function tell(
  session: string,
  file: string,
  { calls, skipped }: RecordingFile,
  { json }: Flags,
  { stdout }: CliContext,
): void {
  if (json) {
    printJson(stdout, { session, file, exchanges: calls.length, skipped });
    return;
  }
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  const aside = left.length === 0 ? '' : ` Skipped: ${left.join(', ')}.`;
  printLine(stdout, `Imported ${counted(calls.length, 'exchange')} as session ${session}.${aside}`);
}
