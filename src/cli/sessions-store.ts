/** The store that a command works on, the options that name it, and the session that was asked for. */

import type { Command } from 'commander';
import { loadConfig, openConfigured } from '../app/config/index.js';
import { counted, SandgateError, slipOf } from '../spec/index.js';
import { isInMemory, type SessionInfo, type Store, storeName } from '../store/index.js';
import type { CliContext } from './context.js';

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

export interface StoreFlags {
  readonly store?: string;
  readonly storePasswordFile?: string;
  readonly storeKeyFile?: string;
  readonly storeRead?: string;
}

const OPTIONS = [
  ['--store <PATH|URL>', 'Store (default: that of serve).'],
  ['--store-password-file <FILE>', 'File that holds the password of a PostgreSQL store.'],
  ['--store-key-file <FILE>', 'Secret of the fingerprints in a PostgreSQL store.'],
  ['--store-read <URL>', 'Replica of a PostgreSQL store to read from.'],
] as const;

export function addStoreOptions(command: Command): Command {
  for (const [flag, description] of OPTIONS) command.option(flag, description);
  return command;
}

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
