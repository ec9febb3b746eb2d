/** The command line as a function: arguments in, exit status out; what it says goes to the streams of its context. */
import { Command, CommanderError } from 'commander';
import { SandgateError } from '../spec/index.js';
import certs from './commands/certs.js';
import check from './commands/check.js';
import doctor from './commands/doctor.js';
import replay from './commands/replay.js';
import report from './commands/report.js';
import rerun from './commands/rerun.js';
import rules from './commands/rules.js';
import scan from './commands/scan.js';
import serve from './commands/serve.js';
import sessions from './commands/sessions.js';
import ticket from './commands/ticket.js';
import verify from './commands/verify.js';
import wait from './commands/wait.js';
import type { CliContext, CommandFactory } from './context.js';
import { version } from './version.js';

/** In the order in which help lists them. */
const COMMANDS: readonly CommandFactory[] = [
  serve,
  wait,
  certs,
  sessions,
  check,
  rules,
  report,
  verify,
  ticket,
  rerun,
  doctor,
  replay,
  scan,
];

const EXAMPLES = `
Examples:
  sandgate serve                          answer as the sandbox bank on https://127.0.0.1:8443
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
  const program = buildProgram(whole);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    return tell(error, context, args.includes('--debug'));
  }
}

/** The whole command tree; the reference page of the commands is rendered from it. */
export function buildProgram(context: CliContext): Command {
  const program = new Command('sandgate')
    .description(
      'A gateway in front of PSD2 traffic: it checks each call by rules, answers it as the sandbox bank would, forwards it to a bank or replays a recording, and records everything for reports.',
    )
    .version(version(), '--version', 'Print the version.')
    .option('--debug', 'Print the stack trace of an error too.')
    .addHelpText('after', EXAMPLES);
  for (const create of COMMANDS) program.addCommand(create(context));
  program.helpCommand('help [COMMAND]', 'Print the help of a command.');
  for (const command of withDescendants(program)) {
    command.showHelpAfterError(`${pathOf(command)} --help tells what it takes.`);
    command
      .helpOption('-h, --help', 'Print this help.')
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void context.stdout.write(text),
        writeErr: (text) => void context.stderr.write(text),
        getOutHelpWidth: () => context.stdout.columns ?? 100,
      });
  }
  return program;
}

/** As it is typed: `sandgate sessions export`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

function tell(error: unknown, { stderr }: RunContext, debug: boolean): number {
  // Commander has printed what there is to say: help and version with status 0, wrong usage with another.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  const told = error instanceof Error ? error : new Error(String(error));
  const text = error instanceof SandgateError ? told.message : `An unexpected error: ${told.message}`;
  stderr.write(`${text.trimEnd()}\n`);
  if (debug)
    stderr.write(`${told.stack ?? ''}\n${told.cause instanceof Error ? `${told.cause.stack}\n` : ''}`);
  return error instanceof SandgateError ? error.exitStatus : INTERNAL;
}
