/** `sandgate replay RECORDING`: `serve`, with a recording in place of the bank. */
import { Command } from 'commander';
import type { CliContext } from '../context.js';
import { SETTINGS_FILE } from '../options.js';
import { addSettings, PRINT_CONFIG_FLAG } from '../settings-flags.js';
import { serveWith } from './serve.js';

export default function replay(context: CliContext): Command {
  const command = new Command('replay')
    .description('Start the gateway with a recording in place of the bank: serve --source replay.')
    .argument('<RECORDING>', 'A session of the store, or a cassette or HAR file.')
    .option(...SETTINGS_FILE)
    .option(...PRINT_CONFIG_FLAG);
  return addSettings(command, false, ['source', 'replay']).action((recording: string) =>
    serveWith(command, context, { source: 'replay', replay: recording }),
  );
}
