/** `sandgate faults`: lists and changes the faults that calls meet at a running gateway. */
import { Command } from 'commander';
import type { ShownFault } from '../../admin/index.js';
import { isObject, parseJsonText } from '../../exchange/index.js';
import { readText } from '../../files/index.js';
import { counted } from '../../spec/index.js';
import { KIND_ROWS } from '../../weather/index.js';
import { ADMIN_OPTIONS, openAdminClient } from '../admin-client.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf, PRINT_JSON } from '../options.js';
import { printJson, printLine, widthOf } from '../output.js';
import { renderTable } from '../table.js';

const OPTIONS = [...ADMIN_OPTIONS, PRINT_JSON] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function faults(context: CliContext): Command {
  const command = new Command('faults').description(
    'List and change the faults that calls meet at a running gateway: delays, errors, lost answers and others.',
  );
  const add = (words: string, description: string, isDefault = false) =>
    addOptions(command.command(words, { isDefault }).description(description), OPTIONS);
  add('list', 'List the faults in force, in the order in which they are tried.', true).action(
    (flags: Flags) => ask({ method: 'GET', path: '/api/faults' }, flags, context),
  );
  add('add', 'Add a fault behind the others, or all of a file.')
    .argument('<JSON|FILE>', 'A fault in JSON, or a file with a list of faults.')
    .action((given: string, flags: Flags) => addAll(given, flags, context));
  add('remove', 'Remove a fault.')
    .argument('<ID>')
    .action((id: string, flags: Flags) =>
      ask({ method: 'DELETE', path: `/api/faults/${encodeURIComponent(id)}`, body: {} }, flags, context),
    );
  add('clear', 'Remove all faults.').action((flags: Flags) =>
    ask({ method: 'DELETE', path: '/api/faults', body: {} }, flags, context),
  );
  command
    .command('kinds')
    .description('List every kind of fault, with its parameters. No gateway is needed.')
    .option('--json', 'Print JSON.')
    .action(({ json }: { readonly json?: true }) => {
      if (json) printJson(context.stdout, KIND_ROWS);
      else context.stdout.write(renderTable(KIND_COLUMNS, KIND_ROWS.map(kindLine), widthOf(context.stdout)));
    });
  return command;
}

const KIND_COLUMNS = ['kind', 'parameters', 'what it does'];
const kindLine = ({ kind, says, takes, needs }: (typeof KIND_ROWS)[number]): string[] => [
  kind,
  takes.join(' '),
  needs === null ? says : `${says} Needs the ${needs === 'living' ? 'living bank' : 'emulator'}.`,
];

type Request = Parameters<ReturnType<typeof openAdminClient>['ask']>[0];

async function ask(request: Request, flags: Flags, context: CliContext): Promise<void> {
  show((await openAdminClient(flags, context).ask(request)) as readonly ShownFault[], flags, context);
}

async function addAll(given: string, flags: Flags, context: CliContext): Promise<void> {
  const client = openAdminClient(flags, context);
  const isJson = given.trimStart().startsWith('{');
  const read = parseJsonText(isJson ? given : readText(given), isJson ? 'The fault' : given);
  let all: unknown;
  for (const row of Array.isArray(read) ? read : [read])
    all = await client.ask({ method: 'POST', path: '/api/faults', body: row });
  show((all ?? []) as readonly ShownFault[], flags, context);
}

function show(all: readonly ShownFault[], { json }: Flags, context: CliContext): void {
  const { stdout } = context;
  if (json) printJson(stdout, all);
  else if (all.length === 0) printLine(stdout, 'No faults: calls meet fair weather.');
  else stdout.write(renderTable(COLUMNS, all.map(lineOf), widthOf(stdout)));
}

const COLUMNS = ['fault', 'does', 'where', 'when', 'met'];

function lineOf({ id, where, after, count, share, during, do: what, times }: ShownFault): string[] {
  const { kind, ...parameters } = what;
  const when = [
    after > 0 ? `after ${after}` : '',
    count === undefined ? '' : counted(count, 'time'),
    share < 1 ? `${Math.round(share * 100)} %` : '',
    during === undefined ? '' : during.join(' to '),
  ];
  const given = Object.entries(parameters).map(
    ([name, value]) => `${name}=${isObject(value) ? '{…}' : value}`,
  );
  return [
    id,
    [kind, ...given].join(' '),
    where || 'all calls',
    when.filter(Boolean).join(', '),
    String(times),
  ];
}
