/** `sandgate bank psus`: who there is in the living bank. */
import { Command } from 'commander';
import { openPopulation, type ShownPsu, showPsus } from '../app/bank/index.js';
import { BANK_DATA_OPTION, BANK_OPTIONS, type BankFlags, bankConfig, wholeNumber } from './bank-options.js';
import type { CliContext } from './context.js';
import { printJson, printLine, widthOf } from './output.js';
import { renderTable } from './table.js';

interface Flags extends BankFlags {
  readonly from: number;
  readonly limit: number;
  readonly json?: true;
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

export function psusCommand(context: CliContext): Command {
  const command = new Command('psus').description(
    'List the PSUs of the living bank, with login, password and accounts; no gateway need run.',
  );
  for (const [flags, text] of [...BANK_OPTIONS, BANK_DATA_OPTION]) command.option(flags, text);
  return command
    .option('--from <N>', 'How many PSUs to pass over.', wholeNumber, 0)
    .option('--limit <N>', 'How many PSUs to list.', wholeNumber, 20)
    .option('--json', 'Print JSON.')
    .action((flags: Flags) => list(flags, context));
}

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
