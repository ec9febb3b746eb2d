/** The settings as flags of a command. */
import { type Command, Option } from 'commander';
import { CONFIG_OPTIONS, type ConfigOption, hasFlag } from '../app/config/index.js';

export const CONFIG_FLAG = ['--config <FILE>', 'Settings in JSON, instead of sandgate.config.json.'] as const;
export const PRINT_CONFIG_FLAG = [
  '--print-config',
  'Print the settings that count, and where each comes from; do not start.',
] as const;

/** `fixed`: keys of those that the command says itself. */
export function addSettings(command: Command, fixed: readonly string[] = []): Command {
  for (const option of CONFIG_OPTIONS)
    if (hasFlag(option) && !fixed.includes(option.key)) command.addOption(asFlag(option));
  return command;
}

/** `--name VALUE`, `--name` for a switch, `--no-name` for one that is on. */
function asFlag(option: ConfigOption): Option {
  const { flag, fallback, isSwitch, placeholder = 'VALUE', description, without, alone, group } = option;
  const isOn = isSwitch && fallback === true;
  const value = alone === undefined ? `<${placeholder}>` : `[${placeholder}]`;
  const flags = isOn ? flag.replace('--', '--no-') : isSwitch ? flag : `${flag} ${value}`;
  const told = fallback === undefined || isSwitch ? '' : ` (default: ${fallback})`;
  const made = new Option(flags, `${isOn ? without : description}${told}`).helpGroup(`${group}:`);
  return alone === undefined ? made : made.preset(alone);
}

/** What was typed, by key of the setting; what was not is left to the other sources. */
export function typedFlags(command: Command): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const option of CONFIG_OPTIONS) {
    if (!hasFlag(option)) continue;
    const name = asFlag(option).attributeName();
    if (command.getOptionValueSource(name) === 'cli') flags[option.key] = command.getOptionValue(name);
  }
  return flags;
}
