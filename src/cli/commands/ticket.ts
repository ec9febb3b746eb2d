/** `sandgate ticket`: one exchange as a text for the bank's support. */
import { Command } from 'commander';
import { renderTicket } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { printLine } from '../output.js';
import { writeOutput } from '../report-outputs.js';
import { type StoreFlags, withStore } from '../sessions-store.js';
import { warnOfBreaks } from '../warn-of-breaks.js';

interface Flags extends StoreFlags {
  readonly out?: string;
}

export default function ticket(context: CliContext): Command {
  return new Command('ticket')
    .description(
      'Writes a ticket for the bank’s support in Markdown: what was asked, what came, what was expected.',
    )
    .argument('<EXCHANGE>', 'The id of the exchange, as in Sandgate-Exchange and in reports.')
    .option('--store <PATH>', 'The store; that of serve by default.')
    .option('--out <FILE>', 'A file; without it standard output.')
    .action((id: string, flags: Flags) =>
      withStore(flags, context, 'read', (store, path) => {
        const record = store.find(id);
        if (record === null)
          throw new SandgateError(
            'input',
            `The store ${path} holds no exchange ${id}: sandgate sessions show lists them.`,
          );
        const { session } = record.exchange.call;
        const notes = store.sessions().find(({ name }) => name === session)?.notes ?? [];
        warnOfBreaks(store.verifyLink(id), session, context);
        const text = renderTicket(record, notes);
        if (flags.out === undefined) context.stdout.write(text);
        else {
          writeOutput(flags.out, text);
          printLine(context.stdout, `Written: ${flags.out}.`);
        }
      }),
    );
}
