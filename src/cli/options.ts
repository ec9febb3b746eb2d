/** Options of commands as rows: the type of what was typed follows from them. */
import { type Command, InvalidArgumentError, Option } from 'commander';

interface More {
  readonly choices?: readonly string[];
  /** Throws an InvalidArgumentError, which commander prints with the option. */
  readonly read?: (text: string, before?: never) => unknown;
  readonly fallback?: unknown;
  /** The fallback as help prints it. */
  readonly shown?: string;
  /** Another option that cannot be given with it. */
  readonly conflicts?: string;
  readonly required?: true;
}

export type OptionRow = readonly [flags: string, text: string, more?: More];

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type NameOf<R extends OptionRow> = R[0] extends `--${infer Name} ${string}`
  ? Camel<Name>
  : R[0] extends `--${infer Name}`
    ? Camel<Name>
    : never;
type ValueOf<R extends OptionRow> = R[2] extends { readonly read: (...given: never[]) => infer Value }
  ? Value
  : R[2] extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : R[0] extends `${string} <${string}>`
      ? string
      : R[0] extends `${string} [${string}]`
        ? string | true
        : true;
type Given = { readonly fallback: unknown } | { readonly required: true };

/** The values that commander gives for the options of these rows. */
export type FlagsOf<Rows extends readonly OptionRow[]> = {
  readonly [R in Rows[number] as R[2] extends Given ? NameOf<R> : never]: ValueOf<R>;
} & {
  readonly [R in Rows[number] as R[2] extends Given ? never : NameOf<R>]?: ValueOf<R>;
};

export function addOptions(command: Command, rows: readonly OptionRow[]): Command {
  for (const [flags, text, { choices, read, fallback, shown, conflicts, required } = {}] of rows) {
    const option = new Option(flags, text).makeOptionMandatory(required === true);
    if (choices !== undefined) option.choices(choices);
    if (read !== undefined) option.argParser(read as (text: string) => unknown);
    if (fallback !== undefined) option.default(fallback, shown);
    if (conflicts !== undefined) option.conflicts(conflicts);
    command.addOption(option);
  }
  return command;
}

export const PRINT_JSON = ['--json', 'Print JSON.'] as const;
export const SETTINGS_FILE = [
  '--config <FILE>',
  'Settings in JSON, instead of sandgate.config.json.',
] as const;

export const BANK_PROFILE = [
  '--bank-profile <NAME|FILE>',
  'Interface of the bank, if the recording does not say it: a profile that comes with Sandgate, or a file.',
] as const;
export const REJUDGE = [
  '--rejudge',
  'Judge by --bank-profile even what was recorded under another one.',
] as const;

/** For an option that may be given several times. */
export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** Reads a value; undefined is refused with what is expected. */
export const expecting =
  <T>(read: (text: string) => T | undefined, expected: string) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(expected);
    return value;
  };
