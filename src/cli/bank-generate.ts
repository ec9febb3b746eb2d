/** `sandgate bank generate`: writes the population of a seed as files, to be changed and read back. */
import { Command, Option } from 'commander';
import { type BankDataFormat, openPopulation, writeBankData } from '../app/bank/index.js';
import { bankDayAt } from '../spec/index.js';
import { BANK_OPTIONS, type BankFlags, bankConfig, wholeNumber } from './bank-options.js';
import type { CliContext } from './context.js';
import { printJson, printLine, shellWord } from './output.js';
import { createProgress } from './progress.js';

interface Flags extends Omit<BankFlags, 'bankData'> {
  readonly days: number;
  readonly format: BankDataFormat;
  readonly out: string;
  readonly json?: true;
}

export function generateCommand(context: CliContext): Command {
  const command = new Command('generate').description(
    'Write PSUs, accounts and postings of a seed into a new folder, which serve reads with --bank-data.',
  );
  for (const [flags, text] of BANK_OPTIONS) command.option(flags, text);
  return command
    .option('--days <N>', 'Days of postings, up to today.', wholeNumber, 730)
    .addOption(
      new Option('--format <FORMAT>', 'Format of the files.').choices(['json', 'csv']).default('json'),
    )
    .requiredOption('--out <DIR>', 'Folder to write; a new or an empty one.')
    .option('--json', 'Print JSON.')
    .action((flags: Flags) => generate(flags, context));
}

async function generate(flags: Flags, context: CliContext): Promise<void> {
  const { days, format, out } = flags;
  const { bankSeed, bankPsus } = bankConfig(flags, context);
  const population = openPopulation({ bankSeed, bankPsus, bankData: undefined });
  const to = bankDayAt(context.clock());
  const progress = createProgress('PSUs written', population.count, context);
  let written: Awaited<ReturnType<typeof writeBankData>>;
  try {
    written = await writeBankData(out, { population, from: to - days, to, format, onPsu: progress.step });
  } finally {
    progress.end();
  }
  if (flags.json) printJson(context.stdout, { folder: out, ...written });
  else {
    const [psus, accounts, postings] = Object.values(written).map((count) => count.toLocaleString('en'));
    printLine(context.stdout, `Wrote ${psus} PSUs, ${accounts} accounts and ${postings} postings to ${out}.`);
    printLine(context.stdout, `sandgate serve --bank living --bank-data ${shellWord(out)} is that bank.`);
  }
}
