/**
 * `sandgate doctor`: checks certificates, clock, ports, store and the connection to the bank before a gateway needs
 * them.
 */
import { Command } from 'commander';
import { loadConfig } from '../../app/config/index.js';
import { type Examination, examine } from '../../app/doctor/index.js';
import type { CliContext } from '../context.js';
import { SETTINGS_FILE } from '../options.js';
import { printJson } from '../output.js';
import { addSettings, typedFlags } from '../settings-flags.js';
import { renderTable } from '../table.js';

const SIGNS = { good: 'good', poor: 'look', bad: 'BAD' } as const;

export default function doctor(context: CliContext): Command {
  const command = new Command('doctor')
    .description('Check whether a gateway can start on this machine with these settings (status 1 if not).')
    .option(...SETTINGS_FILE);
  return addSettings(command, false).action(async () => {
    const { config: file } = command.opts<{ config?: string }>();
    const { config } = loadConfig({ flags: typedFlags(command), env: context.env, file });
    const found = await examine(config, context.clock());
    if (config.json) printJson(context.stdout, found);
    else print(found, context);
    if (found.some(({ state }) => state === 'bad')) context.exitWith(1);
  });
}

function print(found: readonly Examination[], { stdout }: CliContext): void {
  const rows = found.map(({ name, state, found: text, advice }) => [
    name,
    SIGNS[state],
    `${text} ${advice}`.trim(),
  ]);
  stdout.write(renderTable(['what', 'state', 'found'], rows));
}
