/** Opens the store that the settings name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInMemory, openStore, type Store, type StoreOptions, storeFile } from '../../store/index.js';
import type { Config } from './config.js';

type StoreConfig = Pick<
  Config,
  'store' | 'storePasswordFile' | 'storeKeyFile' | 'storeRead' | 'storeLimits' | 'certs'
>;

/** Beside the certificates: what is copied of a database must not include it. */
const KEY_FILE = 'store.key';

export function openConfigured(config: StoreConfig, options: StoreOptions = {}): Promise<Store> {
  const { storeLimits, certs } = config;
  return openStore(config.store, {
    ...options,
    postgres: {
      passwordFile: config.storePasswordFile,
      keyFile: config.storeKeyFile ?? join(certs, KEY_FILE),
      readFrom: config.storeRead,
      ...{ limits: storeLimits, connections: storeLimits.connections },
    },
  });
}

/** For looking only; null where there is no file at its place. A store in memory is never there. */
export async function openConfiguredIfAny(config: StoreConfig): Promise<Store | null> {
  const file = storeFile(config.store);
  const isThere = file === null ? !isInMemory(config.store) : existsSync(file);
  return isThere ? openConfigured(config, { readonly: true }) : null;
}
