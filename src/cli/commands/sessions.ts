/** `sandgate sessions`: lists, shows, removes, exports and imports what was recorded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command } from 'commander';
import {
  lastSettings,
  type NoteSettings,
  type SessionNote,
  through,
  unrecordedIn,
  unrecordedText,
} from '../../exchange/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import {
  parseFilter,
  type RecordedExchange,
  type Rows,
  type SessionInfo,
  type Store,
  withUnfinished,
} from '../../store/index.js';
import type { CliContext } from '../context.js';
import { exchangeHead, exchangeLines, exchangeText, plainRecord, timeText } from '../exchange-lines.js';
import { exportCommand } from '../export-session.js';
import { importCommand } from '../import-session.js';
import { addOptions, type FlagsOf } from '../options.js';
import { printJson, printLine, widthOf } from '../output.js';
import { sendAll } from '../send.js';
import { headCommand } from '../session-head.js';
import { SESSION_OPTIONS, type SessionFlags, sessionOf, warnOfBreaks, withStore } from '../sessions-store.js';
import { renderTable } from '../table.js';

const SHOW_OPTIONS = [
  ['--shadow', 'Show where bank and emulator differed (recorded with --shadow).'],
  ['--where <FILTER>', 'Show only exchanges that match: status>=400 operation:accounts.* rule:oauth/*'],
] as const;
type ShowFlags = SessionFlags & FlagsOf<typeof SHOW_OPTIONS>;

export default function sessions(context: CliContext): Command {
  const command = new Command('sessions').description(
    'List, show, remove, export and import recorded sessions, and print the heads of their chains.',
  );
  for (const create of [list, show, headCommand, remove, exportCommand, importCommand]) {
    const one = create(context);
    command.addCommand(addOptions(one, SESSION_OPTIONS), {
      isDefault: create === list,
    });
  }
  return command;
}

const LIST_COLUMNS = [
  'session',
  'began (UTC)',
  'last (UTC)',
  { right: 'exchanges' },
  'source',
  'stance',
  'profile',
] as const;

function list(context: CliContext): Command {
  const { stdout } = context;
  return new Command('ls')
    .alias('list')
    .description('List the sessions of the store; also without ls.')
    .action((flags: SessionFlags) =>
      withStore(flags, context, 'read', async (store: Store, path) => {
        const found = await store.sessions();
        if (flags.json) printJson(stdout, found);
        else if (found.length === 0) printLine(stdout, `The store ${path} holds no session yet.`);
        else stdout.write(renderTable(LIST_COLUMNS, found.map(listRow), widthOf(stdout)));
      }),
    );
}

function listRow({ name, startedAt, lastAt, exchanges, notes }: SessionInfo): string[] {
  const { source = '-', stance = '-', profile = '-' } = lastSettings(notes);
  const seconds = (at: number) => timeText(at).slice(0, -4);
  return [name, seconds(startedAt), seconds(lastAt), String(exchanges), source, stance, profile];
}

function show(context: CliContext): Command {
  return addOptions(
    new Command('show')
      .description('Show the exchanges of a session, or one of them in full.')
      .argument('<SESSION>', 'Name of the session.')
      .argument('[EXCHANGE]', 'Id of one exchange.'),
    SHOW_OPTIONS,
  ).action((name: string, wanted: string | undefined, flags: ShowFlags) => {
    const where = flags.where === undefined ? undefined : parseFilter(flags.where);
    return withStore(flags, context, 'read', async (store, path) => {
      const session = await sessionOf(store, name, path);
      if (flags.shadow === true) {
        const notes = shadowNotes(session.notes);
        if (flags.json) printJson(context.stdout, notes);
        else context.stdout.write(shadowTable(notes, widthOf(context.stdout)));
        return;
      }
      if (wanted === undefined) {
        await warnOfBreaks(store.chains.verify(session.name), session.name, context);
        // Warnings already name the unreadable ones.
        const readable = store.read(session.name, { where, onUnreadable: () => {} });
        const begun = await store.calls.unfinished(session.name, { onUnreadable: () => {} });
        const chosen = through(readable, withUnfinished(begun, where));
        await sendAll(context, flags.json ? arrayOf(chosen) : listOf(chosen));
        const lost = unrecordedIn(session.notes);
        if (lost !== null) printLine(context.stderr, unrecordedText(lost));
        return;
      }
      const record = await exchangeOf(store, session.name, wanted);
      await warnOfBreaks(await store.chains.verifyLink(wanted), session.name, context);
      if (flags.json) printJson(context.stdout, plainRecord(record));
      else context.stdout.write(exchangeText(record));
    });
  });
}

async function exchangeOf(store: Store, session: string, id: string): Promise<RecordedExchange> {
  const record = await store.find(id);
  if (record?.exchange.call.session === session) return record;
  if (record === null) throw new SandgateError('exchange.unknown', { where: `The session ${session}`, id });
  throw new SandgateError('exchange.elsewhere', { session, id, other: record.exchange.call.session });
}

async function* listOf(records: Rows<RecordedExchange>): AsyncGenerator<string> {
  yield exchangeHead();
  for await (const record of records) yield exchangeLines(record);
}

async function* arrayOf(records: Rows<RecordedExchange>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const record of records) {
    yield before + JSON.stringify(plainRecord(record));
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

function remove(context: CliContext): Command {
  const { stdout, signal } = context;
  return new Command('rm')
    .description('Remove a session; a gateway may be running on the store.')
    .argument('<SESSION>', 'Name of the session.')
    .action((name: string, flags: SessionFlags) =>
      withStore(flags, context, 'write', async (store: Store, path) => {
        const session = await sessionOf(store, name, path);
        let removed = 0;
        for await (const step of store.remove(session.name)) {
          removed += step;
          // Lets others write, and a signal arrive.
          await nextTurn();
          if (signal.aborted) throw new SandgateError('run.interrupted-removal', { session: session.name });
        }
        if (flags.json) printJson(stdout, { session: session.name, removed });
        else printLine(stdout, `Removed ${session.name}: ${counted(removed, 'exchange')}.`);
      }),
    );
}

const COLUMNS = ['operation', 'class', 'what', 'place', 'bank', 'emulator', 'first seen in'];

type ShadowNote = NoteSettings<'shadow'>;

function shadowNotes(notes: readonly SessionNote[]): ShadowNote[] {
  return notes.flatMap((note) => (note.kind === 'shadow' ? [note.settings] : []));
}

function shadowTable(notes: readonly ShadowNote[], width: number | undefined): string {
  const rows = notes.flatMap(({ exchange, operation, differences }) =>
    differences.map((one) => rowOf(one, operation, exchange)),
  );
  if (rows.length === 0) return 'The shadow noted no difference.\n';
  return renderTable(COLUMNS, rows, width);
}

function rowOf(difference: ShadowNote['differences'][number], operation: string, exchange: string): string[] {
  const { class: kind, what, place, bank, emulator } = difference;
  return [operation, kind, what, place, bank || '-', emulator || '-', exchange].map(String);
}
