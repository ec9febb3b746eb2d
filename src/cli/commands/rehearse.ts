/** `sandgate rehearse`: takes a TPP's application through a grid of bad days, and says what it survives. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { dialectIn, loadConfig } from '../../app/config/index.js';
import { systemParts } from '../../app/system/index.js';
import {
  CELLS,
  type CellResult,
  isHandled,
  offeredCells,
  type Rehearsal,
  readPlan,
  renderHtml,
  renderJunit,
  renderList,
  renderText,
  rehearse as run,
  SIGNS,
  selectCells,
  sentenceOf,
  toJson,
} from '../../rehearsal/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { fileToWrite, isTerminal, printable, printLine } from '../output.js';
import { writeFile } from '../write-file.js';

const FORMATS = ['text', 'json', 'html', 'junit'] as const;

interface Flags {
  readonly list?: true;
  readonly family?: readonly string[];
  readonly cell?: readonly string[];
  readonly seed?: number;
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
  readonly store?: string;
  readonly session?: string;
  readonly certs?: string;
  readonly bankProfile?: string;
  readonly config?: string;
}

export default function rehearse(context: CliContext): Command {
  const several = (name: string, before: readonly string[] = []) => [...before, ...name.split(',')];
  return new Command('rehearse')
    .description(
      'Test an application of a TPP against a grid of bad days at the living bank, and show what it survives (status 1 unless it handles every cell).',
    )
    .argument('[PLAN]', 'Plan in JSON: how to start and call the application (docs/rehearsals.md).')
    .option(
      '--list',
      'List the cells of the grid: the event, where it was seen, and how a sound application reacts.',
    )
    .option('--family <NAME,…>', 'Only cells of these families.', several)
    .option('--cell <ID,…>', 'Only these cells, such as paging/same-page.', several)
    .option(
      '--seed <NUMBER>',
      'Seed of the bank and its weather (default: that of the plan, or 42).',
      readSeed,
    )
    .addOption(new Option('--format <FORMAT>', 'Format of the result.').choices(FORMATS).default('text'))
    .option('--out <FILE>', 'File for the result (default: standard output).')
    .option('--store <PATH|URL>', 'Store to keep the calls in (default: one that ends with the command).')
    .option('--session <NAME>', 'Name of the session in that store.')
    .option('--certs <DIR>', 'Folder of the test certificates.')
    .option(
      '--bank-profile <NAME|FILE>',
      'Interface of the bank, if it is another one; cells that need what it does not offer are left out.',
    )
    .option('--config <FILE>', 'Settings in JSON.')
    .action((plan: string | undefined, flags: Flags) => rehearseWith(plan, flags, context));
}

function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 32) return seed;
  throw new InvalidArgumentError('A whole number below 4294967296 is expected.');
}

async function rehearseWith(file: string | undefined, flags: Flags, context: CliContext): Promise<void> {
  const { family: families, cell: cells } = flags;
  const load = (more: Readonly<Record<string, unknown>>) =>
    loadConfig({
      flags: { ...more, ...given(flags) },
      env: withoutListeners(context.env),
      file: flags.config ?? null,
    }).config;
  const dialect = dialectIn(load({}));
  if (flags.list === true) {
    const listed = offeredCells(selectCells(CELLS, { families, cells }), dialect);
    context.stdout.write(
      flags.format === 'json' ? `${JSON.stringify(listed, null, 2)}\n` : `${renderList(listed)}\n`,
    );
    return;
  }
  if (file === undefined) throw new SandgateError('rehearsal.no-plan', {});
  const plan = readPlan(file);
  const typed = families !== undefined || cells !== undefined;
  const wanted = selectCells(CELLS, typed ? { families, cells } : plan);
  const selected = offeredCells(wanted, dialect);
  if (selected.length < wanted.length)
    printLine(
      context.stderr,
      `The bank profile offers less than the built-in interface: ${counted(wanted.length - selected.length, 'cell')} left out.`,
    );
  const show = createShow(context, selected.length);
  const rehearsal = await run({
    plan,
    cells: selected,
    seed: flags.seed ?? plan.seed ?? DEFAULT_SEED,
    config: load,
    env: context.env,
    system: systemParts('error', (line) => void context.stderr.write(line), context.clock),
    signal: context.signal,
    onProgress: show.progress,
    onCell: show.cell,
  }).finally(show.end);
  await deliver(rehearsal, plan.expect, flags, context);
  if (!isHandled(rehearsal.cells)) context.exitWith(1);
}

const DEFAULT_SEED = 42;

const given = (flags: Flags): Record<string, string> =>
  Object.fromEntries(
    (['store', 'session', 'certs', 'bankProfile'] as const).flatMap((name) => {
      const value = flags[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Listeners of a rehearsal's bank come from the plan, and its store is its own. */
const withoutListeners = (env: CliContext['env']): CliContext['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => OF_THE_BANK.has(name)));

const OF_THE_BANK = new Set(['SANDGATE_CERTS', 'SANDGATE_SEGMENT', 'SANDGATE_BANK_PROFILE']);

/** On a terminal: a sign for each cell as it ends, a line for each family. */
function createShow({ stderr }: CliContext, count: number) {
  const isShown = isTerminal(stderr);
  let family = '';
  const write = (text: string) => {
    if (isShown) stderr.write(text);
  };
  return {
    progress: (text: string) => write(`${text}\n`),
    cell: (result: CellResult, place: number) => {
      if (result.family !== family) write(`${family === '' ? '' : '\n'}${result.family.padEnd(14)}`);
      family = result.family;
      write(SIGNS[result.verdict]);
      if (place === count - 1) write('\n');
    },
    end: () => write('\n'),
  };
}

async function deliver(
  rehearsal: Rehearsal,
  expected: Readonly<Record<string, string>> | undefined,
  { format, out }: Flags,
  { stdout }: CliContext,
): Promise<void> {
  const text = {
    text: () => printable(renderText(rehearsal, expected)),
    json: () => `${JSON.stringify(toJson(rehearsal), null, 2)}\n`,
    html: () => renderHtml(rehearsal),
    junit: () => renderJunit(rehearsal),
  }[format]();
  const written = fileToWrite(out);
  if (written === undefined) {
    stdout.write(text);
    return;
  }
  await writeFile(written, [text]);
  printLine(stdout, sentenceOf(rehearsal.cells));
  printLine(stdout, `Written to ${written}.`);
}
