/** `sandgate ticket`: writes one exchange as a ticket for the bank's support. */
import { Command } from 'commander';
import { renderTicket } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Store } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf } from '../options.js';
import { fileToWrite, printLine } from '../output.js';
import { STORE_OPTIONS, warnOfBreaks, withStore } from '../sessions-store.js';
import { writeFile } from '../write-file.js';

const OPTIONS = [['--out <FILE>', 'File to write (default: standard output).'], ...STORE_OPTIONS] as const;

export default function ticket(context: CliContext): Command {
  return addOptions(
    new Command('ticket')
      .description(
        'Write a ticket for the bank’s support (Markdown): the request, the answer and what was expected.',
      )
      .argument('<EXCHANGE>', 'Id of the exchange, as in the header Sandgate-Exchange and in reports.'),
    OPTIONS,
  ).action((id: string, flags: FlagsOf<typeof OPTIONS>) =>
    withStore(flags, context, 'read', async (store: Store, path) => {
      const record = await store.find(id);
      if (record === null) throw new SandgateError('exchange.unknown', { where: `The store ${path}`, id });
      const { session } = record.exchange.call;
      const notes = (await store.sessions()).find(({ name }) => name === session)?.notes ?? [];
      await warnOfBreaks(await store.chains.verifyLink(id), session, context);
      const text = renderTicket(record, notes);
      const out = fileToWrite(flags.out);
      if (out === undefined) context.stdout.write(text);
      else {
        await writeFile(out, [text]);
        printLine(context.stdout, `Written: ${out}.`);
      }
    }),
  );
}
