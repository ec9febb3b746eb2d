/** `sandgate bank-profile`: shows, checks, compares and proposes bank profiles. */
import { basename } from 'node:path';
import { Command } from 'commander';
import {
  bankProfileNames,
  examineBankProfile,
  type ProfileRemark,
  readBankProfile,
  readProfileText,
} from '../../app/config/index.js';
import { readText } from '../../files/index.js';
import { BUILT_IN_BANK, counted, dateAt, resolvedProfile } from '../../spec/index.js';
import { profileDifferences, profileInWords } from '../bank-profile-text.js';
import type { CliContext } from '../context.js';
import { addOptions, BANK_PROFILE, type FlagsOf, PRINT_JSON } from '../options.js';
import { fileToWrite, printable, printJson, printLine, widthOf } from '../output.js';
import { STORE_OPTIONS } from '../sessions-store.js';
import { renderTable } from '../table.js';

const JSON_ONLY = [PRINT_JSON] as const;
const LEARN = [
  BANK_PROFILE,
  ['--accept <IDS>', 'Proposals to take over, separated by commas; needs --out.'],
  ['--out <FILE>', 'Profile to add the accepted proposals to; made if it is not there.'],
  ['--host <HOST>', 'Learn only from calls of a HAR to this host (HOST or HOST:PORT).'],
  ['--config <FILE>', 'Settings in JSON.'],
  ...STORE_OPTIONS,
  PRINT_JSON,
] as const;
const FROM_OPENAPI = [['--out <FILE>', 'File to write the profile to, instead of standard output.']] as const;
type JsonFlag = FlagsOf<typeof JSON_ONLY>;

export default function bankProfile(context: CliContext): Command {
  const command = new Command('bank-profile').description(
    'Show, check, compare and propose bank profiles, which say how the interface of a bank differs from the built-in one.',
  );
  const add = (words: string, description: string, isDefault = false) =>
    addOptions(command.command(words, { isDefault }).description(description), JSON_ONLY);
  add('list', 'List the profiles that come with the program.', true).action((flags: JsonFlag) =>
    list(flags, context),
  );
  add('show', 'Print a profile in words; with --json, also what it leaves to the built-in interface.')
    .argument('<NAME|FILE>', 'A profile that comes with the program, or a file.')
    .action((named: string, flags: JsonFlag) => show(named, flags, context));
  add('check', 'List everything that is wrong with a profile (status 1 if anything is).')
    .argument('<FILE>')
    .action((file: string, flags: JsonFlag) => check(file, flags, context));
  add('diff', 'Print two profiles side by side where they differ.')
    .argument('<NAME|FILE>')
    .argument('<OTHER>', 'Name or file of another one.')
    .action((one: string, other: string, flags: JsonFlag) => diff([one, other], flags, context));
  addOptions(
    command
      .command('from-openapi')
      .description(
        'Propose a profile out of a bank’s OpenAPI document, and list on standard error what it does not tell.',
      )
      .argument('<FILE>', 'OpenAPI 3 in JSON or YAML.'),
    FROM_OPENAPI,
  ).action((file: string, flags: FlagsOf<typeof FROM_OPENAPI>) => fromOpenApi(file, flags, context));
  addOptions(
    command
      .command('learn')
      .description(
        'Propose what recordings show of a bank: deviations with samples, other paths, statuses, codes, links.',
      )
      .argument('<RECORDING...>', 'Sessions of the store, cassettes or HAR files.'),
    LEARN,
  ).action(async (names: readonly string[], flags: FlagsOf<typeof LEARN>) => {
    const { learn } = await import('../learn-profile.js');
    await learn(names, flags, context);
  });
  return command;
}

function list({ json }: JsonFlag, { stdout }: CliContext): void {
  const all = [BUILT_IN_BANK, ...bankProfileNames()].map((name) => {
    const { title, standard, sca, date } = resolvedProfile(readBankProfile(name));
    return { name, title, standard, sca: sca?.approaches ?? [], date: date ?? null };
  });
  const rows = all.map(({ sca, date, ...texts }) => [...Object.values(texts), sca.join(', '), date ?? '']);
  if (json) printJson(stdout, all);
  else stdout.write(renderTable(['name', 'title', 'standard', 'SCA', 'as of'], rows, widthOf(stdout)));
}

function show(named: string, { json }: JsonFlag, { stdout }: CliContext): void {
  const profile = readBankProfile(named);
  if (json) printJson(stdout, resolvedProfile(profile));
  else stdout.write(printable(profileInWords(profile ?? resolvedProfile())));
}

function check(file: string, { json }: JsonFlag, context: CliContext): void {
  const { stdout } = context;
  const { profile, problems, warnings } = examineBankProfile(readProfileText(file), file);
  if (problems.length > 0) context.exitWith(1);
  if (json) printJson(stdout, { file, valid: problems.length === 0, problems, warnings });
  else {
    const print = (remark: ProfileRemark, sign: string) =>
      printLine(stdout, `${file}, line ${remark.line}${place(remark)}: ${sign}${remark.says}`);
    for (const problem of problems) print(problem, '');
    for (const warning of warnings) print(warning, 'warning: ');
    if (problems.length > 0) printLine(stdout, `Not valid: ${counted(problems.length, 'problem')}.`);
    else printLine(stdout, `Valid: ${profile?.name}, ${profile?.title}.`);
  }
}

const place = (remark: ProfileRemark): string => (remark.place === '' ? '' : `, ${remark.place}`);

function diff(named: readonly [string, string], { json }: JsonFlag, { stdout }: CliContext): void {
  const [one, other] = [readBankProfile(named[0]), readBankProfile(named[1])];
  const found = profileDifferences(one, other);
  const rows = found.map((row) => [row.place, row.one ?? '-', row.other ?? '-']);
  const titles = ['place', one?.name ?? BUILT_IN_BANK, other?.name ?? BUILT_IN_BANK];
  if (json) printJson(stdout, found);
  else if (found.length === 0) printLine(stdout, 'The two say the same.');
  else stdout.write(renderTable(titles, rows, widthOf(stdout)));
}

async function fromOpenApi(
  file: string,
  flags: FlagsOf<typeof FROM_OPENAPI>,
  { stdout, stderr, clock }: CliContext,
): Promise<void> {
  const { proposeProfile, readOpenApi } = await import('../../app/bank-profile/index.js');
  const { profile, unknown } = proposeProfile(
    await readOpenApi(readText(file), file),
    basename(file),
    dateAt(clock()),
  );
  const out = fileToWrite(flags.out);
  if (out === undefined) printJson(stdout, profile);
  else await (await import('../write-file.js')).writeFile(out, `${JSON.stringify(profile, null, 2)}\n`);
  printLine(stderr, `The document does not tell, or leaves open:`);
  for (const one of unknown) printLine(stderr, `  - ${one}`);
}
