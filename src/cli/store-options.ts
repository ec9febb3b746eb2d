/** The options by which commands know which store is meant; the defaults are those of serve. */
import type { Command } from 'commander';

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
