/** `sandgate replay RECORDING`: `serve`, with a recording in place of the bank. */
import { Command } from 'commander';
import { CONFIG_OPTIONS, hasFlag } from '../../app/config/index.js';
import type { CliContext } from '../context.js';
import { asFlag, CONFIG_FLAG, PRINT_CONFIG_FLAG, serveWith } from './serve.js';

/** Said by the command itself. */
const FIXED = new Set(['source', 'replay']);

export default function replay(context: CliContext): Command {
  const command = new Command('replay')
    .description('Start the gateway with a recording in place of the bank: serve --source replay.')
    .argument('<RECORDING>', 'A session of the store, or a cassette or HAR file.')
    .option(...CONFIG_FLAG)
    .option(...PRINT_CONFIG_FLAG);
  for (const option of CONFIG_OPTIONS)
    if (hasFlag(option) && !FIXED.has(option.key)) command.addOption(asFlag(option));
  return command.action((recording: string) =>
    serveWith(command, context, { source: 'replay', replay: recording }),
  );
}
