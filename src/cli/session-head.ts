/**
 * `sandgate sessions head`: prints the head of a session's chain; who publishes it cannot change the session
 * unnoticed.
 */

import { Command } from 'commander';
import { type Checkpoint, unverifiedCheckpoint } from '../evidence/index.js';
import { counted } from '../spec/index.js';
import type { ChainInfo, Store } from '../store/index.js';
import type { CliContext } from './context.js';
import { timeText } from './exchange-lines.js';
import { printJson } from './output.js';
import { type SessionFlags, sessionOf, withStore } from './sessions-store.js';
import { renderTable } from './table.js';

export function headCommand(context: CliContext): Command {
  return new Command('head')
    .description(
      'Print the head of a session’s chain and its newest checkpoint, to publish or keep elsewhere.',
    )
    .argument('<SESSION>', 'Name of the session.')
    .action((name: string, flags: SessionFlags) =>
      withStore(flags, context, 'read', async (store, path) => {
        const { lastAt, exchanges } = await sessionOf(store, name, path);
        const chains = await store.chains.of(name);
        const checkpoint = await newestCheckpoint(store, name);
        const time = new Date(lastAt).toISOString();
        if (flags.json) {
          const [only] = chains;
          const ends =
            chains.length === 1 && only !== undefined ? endOf(only) : { chains: chains.map(endOf) };
          printJson(context.stdout, { session: name, exchanges, ...ends, time, checkpoint });
          return;
        }
        const rows = [
          ['session', name],
          ['exchanges', String(exchanges)],
          ...chains.flatMap(({ store: id, entries, head }) => [
            ['store', id],
            ['entries', `${entries} (exchanges and notes, removed ones too)`],
            ['head', head],
          ]),
          ['last (UTC)', timeText(lastAt)],
          ...checkpointRows(checkpoint),
        ];
        context.stdout.write(renderTable(['what', 'value'], rows));
      }),
    );
}

const endOf = ({ store, entries, head }: ChainInfo) => ({ store, entries, head });

interface Newest {
  readonly signed: Checkpoint | null;
  readonly statement: string;
}

async function newestCheckpoint(store: Store, session: string): Promise<Newest | null> {
  const statement = (await store.chains.notes(session, 'checkpoint')).at(-1)?.settings.statement;
  if (typeof statement !== 'string') return null;
  return { signed: unverifiedCheckpoint(statement), statement: statement.trimEnd() };
}

function checkpointRows(newest: Newest | null): string[][] {
  if (newest === null) return [['checkpoint', 'none: the session is not signed']];
  const { signed, statement } = newest;
  const told =
    signed === null
      ? 'cannot be read'
      : `of ${signed.at}, head ${signed.head} after ${counted(signed.entries, 'entry', 'entries')}`;
  return [
    ['checkpoint', told],
    ['signed', statement],
  ];
}
