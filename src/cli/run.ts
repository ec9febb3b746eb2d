/** The command line as a function: arguments in, exit status out; what it says goes to the streams of its context. */
import { Command, CommanderError } from 'commander';
import type { CliContext, CommandFactory } from './context.js';
import { printLine, widthOf } from './output.js';
import { version } from './version.js';

/** In the order in which help lists them. A command is loaded when it is typed: what it takes, nobody else waits for. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly default: CommandFactory }>>> = {
  serve: () => import('./commands/serve.js'),
  demo: () => import('./commands/demo.js'),
  wait: () => import('./commands/wait.js'),
  tail: () => import('./commands/tail.js'),
  clock: () => import('./commands/clock.js'),
  faults: () => import('./commands/faults.js'),
  certs: () => import('./commands/certs.js'),
  trust: () => import('./commands/trust.js'),
  bank: () => import('./commands/bank.js'),
  sessions: () => import('./commands/sessions.js'),
  store: () => import('./commands/store.js'),
  erase: () => import('./commands/erase.js'),
  check: () => import('./commands/check.js'),
  rules: () => import('./commands/rules.js'),
  'bank-profile': () => import('./commands/bank-profile.js'),
  report: () => import('./commands/report.js'),
  bundle: () => import('./commands/bundle.js'),
  verify: () => import('./commands/verify.js'),
  ticket: () => import('./commands/ticket.js'),
  compare: () => import('./commands/compare.js'),
  rerun: () => import('./commands/rerun.js'),
  rehearse: () => import('./commands/rehearse.js'),
  doctor: () => import('./commands/doctor.js'),
  replay: () => import('./commands/replay.js'),
  scan: () => import('./commands/scan.js'),
};
const ALL = Object.keys(COMMANDS);

const EXAMPLES = `
Examples:
  sandgate serve                          answer as the sandbox bank on https://127.0.0.1:8443
  sandgate demo                           watch a first journey, with its mistakes
  sandgate serve --upstream https://api.bank.example --upstream-cert qwac.pem
                                          forward calls to a bank, record and judge them
  sandgate report 2026-11-22 --out report.html
                                          report on what was recorded on a day

More is in docs/ of this package: README.md has the tour, docs/configuration.md all settings, docs/glossary.md the
terms. sandgate help COMMAND prints the options of a command.
`;

const INTERNAL = 3;
const USAGE = 2;

export interface RunContext extends Omit<CliContext, 'exitWith'> {}

/** `args` without the program's own name. Never rejects. */
export async function run(args: readonly string[], context: RunContext): Promise<number> {
  let status = 0;
  const whole: CliContext = {
    ...context,
    exitWith: (wanted) => {
      status = Math.max(status, wanted);
    },
  };
  try {
    const program = await buildProgram(whole, namedIn(args));
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    return await tell(error, context, args.includes('--debug'));
  }
}

/** The help of the program, and what is no command, need to know all of them. */
function namedIn(args: readonly string[]): readonly string[] {
  const named = ALL.filter((name) => args.includes(name));
  return named.length > 0 || args.includes('--version') ? named : ALL;
}

/** The command tree, with the commands of these names; the reference page of the commands is rendered from all. */
export async function buildProgram(context: CliContext, names: readonly string[] = ALL): Promise<Command> {
  const program = new Command('sandgate')
    .description(
      'A gateway in front of PSD2 traffic: it checks each call by rules, answers it as the sandbox bank would, forwards it to a bank or replays a recording, and records everything for reports.',
    )
    .version(version(), '--version', 'Print the version.')
    .option('--debug', 'Print the stack trace of an error too.')
    .addHelpText('after', EXAMPLES);
  for (const [name, load] of Object.entries(COMMANDS))
    if (names.includes(name)) program.addCommand((await load()).default(context));
  for (const command of withDescendants(program)) {
    if (command.commands.length > 0) command.helpCommand('help [COMMAND]', 'Print the help of a command.');
    command.showHelpAfterError(`See ${pathOf(command)} --help.`);
    command
      .helpOption('-h, --help', 'Print this help.')
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void context.stdout.write(text),
        writeErr: (text) => void context.stderr.write(text),
        getOutHelpWidth: () => widthOf(context.stdout) ?? 100,
      });
  }
  return program;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

async function tell(error: unknown, { stderr }: RunContext, debug: boolean): Promise<number> {
  // Commander has printed what there is to say: help and version with status 0, wrong usage with another.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  const { SandgateError } = await import('../spec/index.js');
  const told = error instanceof Error ? error : new Error(String(error));
  const text = error instanceof SandgateError ? told.message : `An unexpected error: ${told.message}`;
  printLine(stderr, text.trimEnd());
  if (debug && error instanceof SandgateError) stderr.write(`Code: ${error.code} (docs/errors.md)\n`);
  if (debug)
    stderr.write(`${told.stack ?? ''}\n${told.cause instanceof Error ? `${told.cause.stack}\n` : ''}`);
  return error instanceof SandgateError ? error.exitStatus : INTERNAL;
}
