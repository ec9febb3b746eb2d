/** The store that a command works on, the options that name it, and the session or file that was asked for. */
import {
  type Config,
  isFile,
  loadConfig,
  openConfigured,
  openConfiguredIfAny,
  pickSource,
} from '../app/config/index.js';
import { counted, SandgateError, slipOf } from '../spec/index.js';
import {
  breakText,
  type ChainBreak,
  isInMemory,
  type Rows,
  type SessionInfo,
  type Store,
  storeName,
} from '../store/index.js';
import type { CliContext } from './context.js';
import { type FlagsOf, PRINT_JSON } from './options.js';
import { printLine } from './output.js';

/** Opens the store that `serve` would use, does the work, and closes it. `make`: it may be a new one. */
export async function withStore<T>(
  { config: file, ...flags }: StoreFlags & { readonly config?: string },
  { env }: CliContext,
  access: 'read' | 'write' | 'make',
  work: (store: Store, path: string) => T | Promise<T>,
): Promise<T> {
  const { config } = loadConfig({ flags: storeFlags(flags), env, file });
  if (isInMemory(config.store)) throw new SandgateError('store.in-memory', {});
  // A store that is not there is not made just to find that it is empty.
  if (access !== 'make') await (await openConfigured(config, { readonly: true })).close();
  const opened = await openConfigured(config, { readonly: access === 'read' });
  try {
    return await work(opened, opened.place.file ?? storeName(config.store));
  } finally {
    await opened.close();
  }
}

const MOST_LISTED = 8;

/** Throws where there is none of that name, with those that there are. */
export async function sessionOf(store: Store, name: string, path: string): Promise<SessionInfo> {
  const sessions = await store.sessions();
  const found = sessions.find((session) => session.name === name);
  if (found !== undefined) return found;
  const names = sessions.map((session) => session.name);
  if (names.length === 0) throw new SandgateError('session.none', { store: path });
  const listed = names.slice(-MOST_LISTED).reverse().join(', ');
  const more = names.length > MOST_LISTED ? `, and ${counted(names.length - MOST_LISTED, 'older one')}` : '';
  throw new SandgateError('session.unknown', {
    name,
    store: path,
    nearest: slipOf(name, names),
    names: `${listed}${more}`,
  });
}

export const STORE_OPTIONS = [
  ['--store <PATH|URL>', 'Store (default: that of serve).'],
  ['--store-password-file <FILE>', 'File that holds the password of a PostgreSQL store.'],
  ['--store-key-file <FILE>', 'Secret of the fingerprints in a PostgreSQL store.'],
  ['--store-read <URL>', 'Replica of a PostgreSQL store to read from.'],
] as const;

export type StoreFlags = FlagsOf<typeof STORE_OPTIONS>;

export const SESSION_OPTIONS = [...STORE_OPTIONS, PRINT_JSON] as const;
export type SessionFlags = FlagsOf<typeof SESSION_OPTIONS>;

export const storeFlags = ({
  store,
  storePasswordFile,
  storeKeyFile,
  storeRead,
}: StoreFlags): Readonly<Record<string, string | undefined>> => ({
  store,
  storePasswordFile,
  storeKeyFile,
  storeRead,
});

interface NamedSession {
  readonly store: Store;
  readonly session: SessionInfo;
}

/** Does the work, with null where it is a file, and closes the store. @throws SandgateError where there is neither */
export async function withNamed<T>(
  name: string,
  config: Config,
  work: (found: NamedSession | null) => Promise<T>,
): Promise<T> {
  const store = await openConfiguredIfAny(config);
  try {
    const sessions = (await store?.sessions()) ?? [];
    const session = sessions.find((one) => one.name === name);
    const known = { isFile: isFile(name), isSession: session !== undefined, store: storeName(config.store) };
    const names = sessions.map((one) => one.name);
    const isNamed = pickSource(name, known, names) === 'session' && store !== null && session !== undefined;
    return await work(isNamed ? { store, session } : null);
  } finally {
    await store?.close();
  }
}

const MOST_SHOWN = 20;

/** On standard error; and the command ends with 1. Sound recordings are passed on without a word. */
export async function warnOfBreaks(
  breaks: Rows<ChainBreak> | readonly ChainBreak[],
  session: string,
  { stderr, exitWith }: CliContext,
): Promise<void> {
  const found: ChainBreak[] = [];
  for await (const one of breaks) found.push(one);
  if (found.length === 0) return;
  printLine(stderr, `Warning: the session ${session} was changed after it was recorded.`);
  for (const one of found.slice(0, MOST_SHOWN)) printLine(stderr, `  - ${breakText(one)}`);
  if (found.length > MOST_SHOWN) printLine(stderr, `  - and ${found.length - MOST_SHOWN} more`);
  exitWith(1);
}
