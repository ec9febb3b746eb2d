/** `sandgate store`: copies a store into another one. */

import { Command } from 'commander';
import { loadConfig, storeKeyFile } from '../../app/config/index.js';
import { counted } from '../../spec/index.js';
import { breakText, type Copied, copyBetween, shownStore } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf, PRINT_JSON } from '../options.js';
import { printJson, printLine } from '../output.js';
import { createProgress, type Progress } from '../progress.js';

const OPTIONS = [
  ['--from-password-file <FILE>', 'File that holds the password of FROM, where that is in PostgreSQL.'],
  ['--from-key-file <FILE>', 'Secret of its fingerprints (default: that of serve).'],
  ['--to-password-file <FILE>', 'File that holds the password of TO, where that is in PostgreSQL.'],
  [
    '--to-key-file <FILE>',
    'File for the secret of its fingerprints, the same as in FROM (default: that of serve).',
  ],
  ['--broken', 'Copy sessions whose chain is broken, too: they stay broken.'],
  PRINT_JSON,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function store(context: CliContext): Command {
  const command = new Command('store').description(
    'Copy a store, between files and PostgreSQL in any direction.',
  );
  const copying = command
    .command('copy')
    .description(
      'Copy a store, as it is at this moment, into a new one: sessions with their chains and evidence, facts, the living bank. Every chain is verified.',
    )
    .argument('<FROM>', 'Store to copy: a path, or postgres://… A gateway may be running on it.')
    .argument('<TO>', 'New store: a path, or postgres://…');
  addOptions(copying, OPTIONS).action((from: string, to: string, flags: Flags) =>
    copy(from, to, flags, context),
  );
  return command;
}

async function copy(from: string, to: string, flags: Flags, context: CliContext): Promise<void> {
  const { stdout, stderr, env, exitWith } = context;
  const { config } = loadConfig({ flags: {}, env });
  const keyFile = storeKeyFile(config);
  let progress: Progress | undefined;
  let copied: Copied;
  try {
    copied = await copyBetween(
      { address: from, passwordFile: flags.fromPasswordFile, keyFile: flags.fromKeyFile ?? keyFile },
      { address: to, passwordFile: flags.toPasswordFile, keyFile: flags.toKeyFile ?? keyFile },
      {
        broken: flags.broken === true,
        onBreak: (session, found) => {
          progress?.end();
          if (flags.broken === true) printLine(stderr, `Warning: session ${session}: ${breakText(found)}`);
        },
        onRest: () => printLine(stderr, `A copy into ${shownStore(to)} did not end; it is begun anew.`),
        onExpected: (rows) => {
          progress = createProgress('Rows copied and verified', rows, context);
        },
        onDone: (rows) => progress?.step(rows),
      },
    );
  } finally {
    progress?.end();
  }
  if (copied.broken.length > 0) exitWith(1);
  if (flags.json === true) {
    printJson(stdout, { from: shownStore(from), to: shownStore(to), ...copied });
    return;
  }
  const { sessions, exchanges, facts, broken } = copied;
  const chains =
    broken.length === 0
      ? 'every chain is as it was recorded'
      : `broken as in ${shownStore(from)}: ${broken.join(', ')}`;
  printLine(
    stdout,
    `Copied ${shownStore(from)} to ${shownStore(to)}: ${counted(sessions, 'session')}, ${counted(exchanges, 'exchange')}, ${counted(facts, 'fact')}; ${chains}.`,
  );
}
