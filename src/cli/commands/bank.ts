/** `sandgate bank`: who there is in the living bank, and steers that of a running gateway. */
import { Command } from 'commander';
import { addWorldOptions, inWorld, openAdminClient, type WorldFlags } from '../admin-client.js';
import { generateCommand } from '../bank-generate.js';
import { psusCommand } from '../bank-psus.js';
import type { CliContext } from '../context.js';
import { printJson, printLine } from '../output.js';

export default function bank(context: CliContext): Command {
  const command = new Command('bank')
    .description(
      'List and write who there is in the living bank; steer that of a running gateway (serve --bank living).',
    )
    .addCommand(psusCommand(context))
    .addCommand(generateCommand(context));
  const add = (words: string, description: string) =>
    addWorldOptions(command.command(words).description(description));
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
  add('reset', 'Let the bank forget what TPPs and PSUs did; snapshots stay.').action((flags: WorldFlags) =>
    steer(flags, 'POST', '/api/bank/reset', 'The bank remembers nothing any more.'),
  );
  add('snapshot', 'Keep what the bank remembers, and the time, under a name.')
    .argument('<NAME>')
    .action((name: string, flags: WorldFlags) =>
      steer(flags, 'PUT', pathOf(name), `The snapshot ${name} is taken.`),
    );
  add('restore', 'Go back to a snapshot.')
    .argument('<NAME>')
    .action((name: string, flags: WorldFlags) =>
      steer(flags, 'POST', `${pathOf(name)}/restore`, `The bank is again as it was at ${name}.`),
    );
  return command;
}

const pathOf = (name: string): string => `/api/bank/snapshots/${encodeURIComponent(name)}`;
