/** `sandgate replay S|FILE`: `serve`, with a recording in the bank's place. */
import { Command } from 'commander';
import { CONFIG_OPTIONS, hasFlag } from '../../app/index.js';
import type { CliContext } from '../context.js';
import { asFlag, serveWith } from './serve.js';

/** Said by the command itself. */
const FIXED = new Set(['source', 'replay']);

export default function replay(context: CliContext): Command {
  const command = new Command('replay')
    .description('Lets a recording answer in the place of the bank: a session, a cassette or a HAR file.')
    .argument('<RECORDING>', 'A session of the store, or the file of a cassette or a HAR.')
    .option('--config <FILE>', 'Settings in JSON, instead of sandgate.config.json.')
    .option('--print-config', 'Prints the settings that count, and where each comes from, and ends.');
  for (const option of CONFIG_OPTIONS)
    if (hasFlag(option) && !FIXED.has(option.key)) command.addOption(asFlag(option));
  return command.action((recording: string) =>
    serveWith(command, context, { source: 'replay', replay: recording }),
  );
}
