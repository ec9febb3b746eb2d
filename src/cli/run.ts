/** The command line as a function: arguments in, exit status out; what it says goes to the streams of its context. */
import { Command, CommanderError } from 'commander';
import type { CliContext, CommandFactory } from './context.js';
import { printLine, widthOf } from './output.js';
import { version } from './version.js';

type Load = () => Promise<{ readonly default: CommandFactory }>;

/** In the groups and the order of the help. A command is loaded only when it is typed. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Serve and watch:': {
    demo: () => import('./commands/demo.js'),
    serve: () => import('./commands/serve.js'),
    tail: () => import('./commands/tail.js'),
    wait: () => import('./commands/wait.js'),
    clock: () => import('./commands/clock.js'),
    faults: () => import('./commands/faults.js'),
    doctor: () => import('./commands/doctor.js'),
  },
  'Recordings:': {
    sessions: () => import('./commands/sessions.js'),
    replay: () => import('./commands/replay.js'),
    rerun: () => import('./commands/rerun.js'),
    compare: () => import('./commands/compare.js'),
    scan: () => import('./commands/scan.js'),
    erase: () => import('./commands/erase.js'),
    store: () => import('./commands/store.js'),
  },
  'Reports and rules:': {
    report: () => import('./commands/report.js'),
    check: () => import('./commands/check.js'),
    bundle: () => import('./commands/bundle.js'),
    verify: () => import('./commands/verify.js'),
    ticket: () => import('./commands/ticket.js'),
    rules: () => import('./commands/rules.js'),
  },
  'Certificates and trust:': {
    certs: () => import('./commands/certs.js'),
    trust: () => import('./commands/trust.js'),
  },
  'Banks:': {
    bank: () => import('./commands/bank.js'),
    'bank-profile': () => import('./commands/bank-profile.js'),
    rehearse: () => import('./commands/rehearse.js'),
  },
};
const ALL = Object.values(GROUPS).flatMap(Object.keys);

/** The help of the program has one line for a command: the first idea of its description, which ends here. */
const FURTHER = /[:.]| \(|, (?:which|by which|and (?:show|print|control)) /;

const EXAMPLES = `
Examples:
  sandgate serve --upstream https://api.bank.example --upstream-cert qwac.pem
  sandgate report 2026-11-22 --out report.html

See sandgate COMMAND --help for its options, and docs/configuration.md for all settings.
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
      'A gateway for PSD2 traffic. It checks each call, answers, forwards or replays it, and records it.',
    )
    .version(version(), '--version', 'Print the version.')
    .option('--debug', 'Print the stack trace of an error too.')
    .commandsGroup('Help:')
    .configureHelp({
      subcommandTerm: (one) => one.name(),
      subcommandDescription: (one) => one.description().split(FURTHER)[0] ?? '',
    })
    .addHelpText('after', EXAMPLES);
  for (const [group, commands] of Object.entries(GROUPS))
    for (const [name, load] of Object.entries(commands))
      if (names.includes(name)) program.addCommand((await load()).default(context).helpGroup(group));
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
