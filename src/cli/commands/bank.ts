/** `sandgate bank`: who there is in the living bank, and steers that of a running gateway. */
import { Command } from 'commander';
import { ADMIN_OPTIONS, type AdminFlags, openAdminClient } from '../admin-client.js';
import { generateCommand } from '../bank-generate.js';
import { psusCommand } from '../bank-psus.js';
import type { CliContext } from '../context.js';
import { printJson, printLine } from '../output.js';

interface Flags extends AdminFlags {
  readonly json?: true;
  readonly session?: string;
}

export default function bank(context: CliContext): Command {
  const command = new Command('bank')
    .description(
      'List and write who there is in the living bank; steer that of a running gateway (serve --bank living).',
    )
    .addCommand(psusCommand(context))
    .addCommand(generateCommand(context));
  const add = (words: string, description: string) => {
    const sub = command.command(words).description(description);
    for (const [flags, text] of ADMIN_OPTIONS) sub.option(flags, text);
    sub.option('--session <NAME>', 'The world of this session, with --isolate-sessions.');
    return sub.option('--json', 'Print JSON.');
  };
  const steer = (flags: Flags, method: 'PUT' | 'POST', path: string, done: string) =>
    ask(flags, context, { method, path }, done);

  add('reset', 'Let the bank forget what TPPs and PSUs did; snapshots stay.').action((flags: Flags) =>
    steer(flags, 'POST', '/api/bank/reset', 'The bank remembers nothing any more.'),
  );
  add('snapshot', 'Keep what the bank remembers, and the time, under a name.')
    .argument('<NAME>')
    .action((name: string, flags: Flags) =>
      steer(flags, 'PUT', pathOf(name), `The snapshot ${name} is taken.`),
    );
  add('restore', 'Go back to a snapshot.')
    .argument('<NAME>')
    .action((name: string, flags: Flags) =>
      steer(flags, 'POST', `${pathOf(name)}/restore`, `The bank is again as it was at ${name}.`),
    );
  return command;
}

const pathOf = (name: string): string => `/api/bank/snapshots/${encodeURIComponent(name)}`;

async function ask(
  flags: Flags,
  context: CliContext,
  { method, path }: { readonly method: 'PUT' | 'POST'; readonly path: string },
  done: string,
): Promise<void> {
  const query = flags.session === undefined ? '' : `?${new URLSearchParams({ session: flags.session })}`;
  const client = openAdminClient(flags, context);
  const answer = await client.ask({ method, path: `${path}${query}`, body: {} });
  if (flags.json) printJson(context.stdout, answer);
  else printLine(context.stdout, done);
}
