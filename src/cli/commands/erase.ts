/** `sandgate erase`: erases what a store holds of a person. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { loadConfig } from '../../app/config/index.js';
import {
  ERASED_BY,
  type ErasedOfPerson,
  eraseOfPerson,
  type FoundOfPerson,
  findOfPerson,
  type Sought,
} from '../../app/erase/index.js';
import { openSigner, type Sign } from '../../evidence/index.js';
import { readText } from '../../files/index.js';
import { counted, plural, SandgateError } from '../../spec/index.js';
import type { Store } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf, SETTINGS_FILE } from '../options.js';
import { isTerminal, printable, printJson, printLine, widthOf } from '../output.js';
import { createProgress } from '../progress.js';
import { SESSION_OPTIONS, sessionOf, storeFlags, withStore } from '../sessions-store.js';
import { renderTable } from '../table.js';

const OPTIONS = [
  ['--psu <ID>', 'PSU, as in PSU-ID or at the living bank.'],
  ['--iban <IBAN>', 'Account, in any spelling.'],
  ['--consent <ID>', 'Consent.'],
  ['--payment <ID>', 'Payment.'],
  ['--session <NAME>', 'Only in this session; facts of the ledger and the bank stay.'],
  ['--yes', 'Erase without asking.'],
  ...SESSION_OPTIONS,
  SETTINGS_FILE,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function erase(context: CliContext): Command {
  return addOptions(
    new Command('erase').description(
      'Erase what the store holds of a person: shows what was found, and asks. The chains stay sound, and note it.',
    ),
    OPTIONS,
  ).action((flags: Flags) => {
    const sought = soughtIn(flags);
    return withStore(flags, context, 'write', async (store, path) => {
      if (flags.session !== undefined) await sessionOf(store, flags.session, path);
      const searching = createProgress('Searching', 2 * (await exchangesIn(store, sought)), context);
      const found = await findOfPerson(store, sought, searching.step).finally(searching.end);
      const isNobodys = found.sessions.length + found.facts === 0;
      if (isNobodys) context.exitWith(1);
      else if (flags.yes !== true && !(await isAgreed(found, context))) return;
      // Also where nothing was found: an erasure before may have been cut off.
      const count = found.sessions.reduce((sum, { exchanges }) => sum + exchanges, 0);
      const erasing = createProgress('Erasing', count, context);
      const sign = await signerOf(flags, context);
      const parts = { at: context.clock(), sign, onStep: erasing.step };
      const erased = await eraseOfPerson(store, sought, found, parts).finally(erasing.end);
      if (flags.json === true)
        printJson(context.stdout, { sessions: found.sessions, unread: found.unread, ...erased });
      else tell(isNobodys ? null : found, erased, path, context);
    });
  });
}

function soughtIn(flags: Flags): Sought {
  const given = ERASED_BY.flatMap((by) => {
    const value = flags[by]?.trim();
    return value === undefined || value === '' ? [] : [{ by, value, session: flags.session }];
  });
  const [sought] = given;
  if (sought === undefined || given.length > 1) throw new SandgateError('erase.one-value', {});
  return sought;
}

async function exchangesIn(store: Store, { session }: Sought): Promise<number> {
  const all = (await store.sessions()).filter(({ name }) => session === undefined || name === session);
  return all.reduce((sum, { exchanges }) => sum + exchanges, 0);
}

const COLUMNS = ['session', { right: 'exchanges' }, { right: 'notes' }] as const;

async function isAgreed(
  found: FoundOfPerson,
  { stdin, stdout, stderr, signal }: CliContext,
): Promise<boolean> {
  const rows = found.sessions.map(({ session, exchanges, notes }) => [
    session,
    String(exchanges),
    String(notes),
  ]);
  stdout.write(renderTable(COLUMNS, rows, widthOf(stdout)));
  printLine(stdout, `Facts of the ledger and the bank: ${found.facts}.${unreadText(found)}`);
  if (!isTerminal(stdin)) throw new SandgateError('erase.not-asked', {});
  stderr.write('The content cannot be brought back. Erase it? (yes/no) ');
  const lines = createInterface({ input: stdin, terminal: false });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const { value, done } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (done !== true && /^y(?:es)?$/i.test(value.trim())) return true;
  printLine(stdout, 'Nothing was erased.');
  return false;
}

const unreadText = ({ unread }: FoundOfPerson): string =>
  unread === 0
    ? ''
    : ` ${counted(unread, 'exchange')} could not be searched: ${plural(unread, 'its key is', 'their keys are')} not at hand.`;

/** The key of the gateway, where it is: what it signs is as good as what the gateway records. */
async function signerOf(flags: Flags, { env }: CliContext): Promise<Sign | null> {
  const { config } = loadConfig({ flags: storeFlags(flags), env, file: flags.config });
  const file = config.evidenceKey ?? join(config.certs, 'evidence.key');
  return existsSync(file) ? openSigner(readText(file), file) : null;
}

const LEFT: Readonly<Record<NonNullable<ErasedOfPerson['left']>, string>> = {
  busy: 'Another process is reading the store, so its log still holds what was erased. Run the command again.',
  served:
    'A gateway serves on the store, which is too large to be written anew meanwhile: free space in its file may still hold parts. Run the command again when the gateway has stopped.',
  unheard:
    'The gateway on the store has not said that it forgot what it holds in memory. Restart it, and run the command again.',
  server:
    'The server frees the old rows (VACUUM), but overwrites them only when it needs the space. Its log (WAL) and replicas hold them until they have moved on.',
};

function tell(
  found: FoundOfPerson | null,
  erased: ErasedOfPerson,
  path: string,
  { stdout }: CliContext,
): void {
  const { exchanges, notes, facts, left } = erased;
  const counts = [
    `the content of ${counted(exchanges, 'exchange')}`,
    ...(notes === 0 ? [] : [counted(notes, 'note')]),
    ...(facts === 0 ? [] : [counted(facts, 'fact')]),
  ];
  if (found === null && exchanges + notes + facts === 0)
    printLine(stdout, `The store ${printable(path)} holds nothing of it.`);
  else printLine(stdout, `Erased ${counts.join(', ')}.${found === null ? '' : unreadText(found)}`);
  if (left !== null) printLine(stdout, LEFT[left]);
  printLine(
    stdout,
    'Cassettes, reports, bundles, logs and backups that were made before are not reached. Calls that come later are recorded again.',
  );
}
