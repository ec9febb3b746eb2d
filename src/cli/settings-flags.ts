/** The settings as flags of a command. */
import { type Command, Option } from 'commander';
import { CONFIG_OPTIONS, type ConfigOption, hasFlag } from '../app/config/index.js';

export const PRINT_CONFIG_FLAG = [
  '--print-config',
  'Print the settings in force and where each comes from; do not start.',
] as const;

const HELP_ALL = '--help-all';

/**
 * Takes every setting as a flag. `everyday`: help lists the settings of everyday use, a line each, and `--help-all` lists
 * all of them; a command without it refers there. `fixed`: keys that the command sets itself.
 */
export function addSettings(command: Command, everyday: boolean, fixed: readonly string[] = []): Command {
  const all = CONFIG_OPTIONS.filter((option) => hasFlag(option) && !fixed.includes(option.key));
  const rows = all.map((option) => {
    const flag = asFlag(option);
    const { description: whole } = flag;
    const brief = everyday ? option.brief : undefined;
    flag.hideHelp(brief === undefined);
    if (brief !== undefined) flag.description = `${brief}${defaultOf(option)}`;
    command.addOption(flag);
    return { flag, whole, group: option.group };
  });
  if (!everyday)
    return command.addHelpText(
      'after',
      '\nAll settings of `sandgate serve` apply: sandgate serve --help-all.',
    );
  return command
    .option(HELP_ALL, 'Print all settings, limits included.')
    .on(`option:${HELP_ALL.slice(2)}`, () => {
      for (const { flag, whole, group } of rows)
        flag.hideHelp(false).helpGroup(`${group}:`).description = whole;
      command.help();
    })
    .addHelpText('after', AFTER);
}

const AFTER = `
Settings are also read from sandgate.config.json and from SANDGATE_* variables: docs/configuration.md.`;

/** `--name VALUE`, `--name` for a switch, `--no-name` for one that is on. */
function asFlag(option: ConfigOption): Option {
  const { flag, fallback, isSwitch, placeholder = 'VALUE', description, without, alone } = option;
  const isOn = isSwitch && fallback === true;
  const value = alone === undefined ? `<${placeholder}>` : `[${placeholder}]`;
  const flags = isOn ? flag.replace('--', '--no-') : isSwitch ? flag : `${flag} ${value}`;
  const made = new Option(flags, `${isOn ? without : description}${defaultOf(option)}`);
  return alone === undefined ? made : made.preset(alone);
}

const defaultOf = ({ fallback, isSwitch }: ConfigOption): string =>
  fallback === undefined || isSwitch ? '' : ` (default: ${fallback})`;

/** The typed values, by key of the setting. Others are left to the other sources. */
export function typedFlags(command: Command): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const option of CONFIG_OPTIONS) {
    if (!hasFlag(option)) continue;
    const name = asFlag(option).attributeName();
    if (command.getOptionValueSource(name) === 'cli') flags[option.key] = command.getOptionValue(name);
  }
  return flags;
}
