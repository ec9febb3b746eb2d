/** `sandgate bank`: who there is in the living bank, and steers that of a running gateway. */
import { Command } from 'commander';
import { openPopulation, type ShownPsu, showPsus, writeBankData } from '../../app/bank/index.js';
import { type Config, loadConfig } from '../../app/config/index.js';
import { bankDayAt, shellWord } from '../../spec/index.js';
import { inWorld, openAdminClient, WORLD_OPTIONS, type WorldFlags } from '../admin-client.js';
import type { CliContext } from '../context.js';
import { addOptions, expecting, type FlagsOf, PRINT_JSON } from '../options.js';
import { printJson, printLine, widthOf } from '../output.js';
import { createProgress } from '../progress.js';
import { renderTable } from '../table.js';

export default function bank(context: CliContext): Command {
  const command = new Command('bank')
    .description(
      'List or write the users of the living bank, and control the living bank of a running gateway (serve --bank living).',
    )
    .addCommand(psusCommand(context))
    .addCommand(generateCommand(context));
  const add = (words: string, description: string) =>
    addOptions(command.command(words).description(description), WORLD_OPTIONS);
  const steer = async (
    flags: WorldFlags,
    method: 'PUT' | 'POST',
    path: string,
    done: string,
  ): Promise<void> => {
    const client = openAdminClient(flags, context);
    const answer = await client.ask({ method, path: inWorld(path, flags), body: {} });
    if (flags.json) printJson(context.stdout, answer);
    else printLine(context.stdout, done);
  };
  add('reset', 'Reset the bank: it forgets all actions of TPPs and PSUs. Snapshots stay.').action(
    (flags: WorldFlags) => steer(flags, 'POST', '/api/bank/reset', 'The bank was reset.'),
  );
  add('snapshot', 'Take a snapshot of the bank and its time.')
    .argument('<NAME>')
    .action((name: string, flags: WorldFlags) =>
      steer(flags, 'PUT', pathOf(name), `The snapshot ${name} was taken.`),
    );
  add('restore', 'Go back to a snapshot.')
    .argument('<NAME>')
    .action((name: string, flags: WorldFlags) =>
      steer(flags, 'POST', `${pathOf(name)}/restore`, `The bank was restored to ${name}.`),
    );
  return command;
}

const pathOf = (name: string): string => `/api/bank/snapshots/${encodeURIComponent(name)}`;

const BANK_OPTIONS = [
  ['--bank-seed <NUMBER>', 'Seed of the bank (default: that of serve, 42).'],
  ['--bank-psus <COUNT>', 'How many PSUs it has (default: that of serve, 10).'],
] as const;

const wholeNumber = expecting(
  (text) => (/^\d{1,7}$/.test(text) ? Number(text) : undefined),
  'A whole number is expected.',
);

const GENERATE_OPTIONS = [
  ...BANK_OPTIONS,
  ['--days <N>', 'Days of postings, up to today.', { read: wholeNumber, fallback: 730 }],
  ['--format <FORMAT>', 'Format of the files.', { choices: ['json', 'csv'], fallback: 'json' }],
  ['--out <DIR>', 'Folder to write; a new or an empty one.', { required: true }],
  PRINT_JSON,
] as const;
type GenerateFlags = FlagsOf<typeof GENERATE_OPTIONS>;

const generateCommand = (context: CliContext): Command =>
  addOptions(
    new Command('generate').description(
      'Write PSUs, accounts and postings of a seed into a new folder, which serve reads with --bank-data.',
    ),
    GENERATE_OPTIONS,
  ).action((flags: GenerateFlags) => generate(flags, context));

async function generate(flags: GenerateFlags, context: CliContext): Promise<void> {
  const { days, format, out } = flags;
  const { bankSeed, bankPsus } = bankConfig(flags, context);
  const population = openPopulation({ bankSeed, bankPsus, bankData: undefined, bankHabits: 'calm' });
  const to = bankDayAt(context.clock());
  const progress = createProgress('PSUs written', population.count, context);
  const parts = { population, from: to - days, to, format, onPsu: progress.step };
  const written = await writeBankData(out, parts).finally(progress.end);
  if (flags.json) printJson(context.stdout, { folder: out, ...written });
  else {
    const [psus, accounts, postings] = Object.values(written).map((count) => count.toLocaleString('en'));
    printLine(context.stdout, `Wrote ${psus} PSUs, ${accounts} accounts and ${postings} postings to ${out}.`);
    printLine(context.stdout, `sandgate serve --bank living --bank-data ${shellWord(out)} is that bank.`);
  }
}

const COLUMNS = [
  'psu',
  'name',
  'login',
  'password',
  'account',
  'iban',
  'currency',
  'kind',
  'status',
] as const;

const PSUS_OPTIONS = [
  ...BANK_OPTIONS,
  [
    '--bank-data <DIR>',
    'Folder with PSUs, accounts and postings, instead of a seed (default: that of serve).',
  ],
  ['--from <N>', 'How many PSUs to skip.', { read: wholeNumber, fallback: 0 }],
  ['--limit <N>', 'How many PSUs to list.', { read: wholeNumber, fallback: 20 }],
  PRINT_JSON,
] as const;
type Flags = FlagsOf<typeof PSUS_OPTIONS>;

const psusCommand = (context: CliContext): Command =>
  addOptions(
    new Command('psus').description(
      'List the PSUs of the living bank, with login, password and accounts. No gateway is needed.',
    ),
    PSUS_OPTIONS,
  ).action((flags: Flags) => list(flags, context));

function list(flags: Flags, context: CliContext): void {
  const { stdout, stderr } = context;
  const population = openPopulation(bankConfig(flags, context));
  const psus = showPsus(population, flags.from, flags.limit);
  if (flags.json) printJson(stdout, psus);
  else stdout.write(renderTable(COLUMNS, psus.flatMap(rowsOf), widthOf(stdout)));
  const rest = population.count - flags.from - psus.length;
  if (!flags.json && rest > 0)
    printLine(stderr, `${rest.toLocaleString('en')} more PSUs follow: --from ${flags.from + psus.length}`);
}

/** A line for each account; what is of the PSU stands in the first. */
function rowsOf({ id, name, login, password, accounts }: ShownPsu): string[][] {
  const lines = accounts.length === 0 ? [[]] : accounts.map((account) => Object.values(account));
  return lines.map((line, i) => [...(i === 0 ? [id, name, login, password] : ['', '', '', '']), ...line]);
}

/** The defaults are those of serve: its settings file and variables are read. */
function bankConfig(
  { bankSeed, bankPsus, bankData }: Partial<Pick<Flags, 'bankSeed' | 'bankPsus' | 'bankData'>>,
  { env }: CliContext,
): Config {
  const given = Object.entries({ bankSeed, bankPsus, bankData }).filter(([, value]) => value !== undefined);
  return loadConfig({ flags: Object.fromEntries(given), env }).config;
}
