/** Opens the store that the settings name. */
import { join } from 'node:path';
import { SandgateError } from '../../spec/index.js';
import { isInMemory, openStore, type Store, type StoreOptions } from '../../store/index.js';
import type { Config } from './config.js';

type StoreConfig = Pick<
  Config,
  'store' | 'storePasswordFile' | 'storeKeyFile' | 'storeRead' | 'storeLimits' | 'certs'
>;

/** Beside the certificates: what is copied of a database must not include it. */
const KEY_FILE = 'store.key';

export function openConfigured(config: StoreConfig, options: StoreOptions = {}): Promise<Store> {
  const { storeLimits } = config;
  return openStore(config.store, {
    ...options,
    keyFile: config.storeKeyFile,
    postgres: {
      passwordFile: config.storePasswordFile,
      keyFile: storeKeyFile(config),
      readFrom: config.storeRead,
      limits: storeLimits,
      connections: storeLimits.connections,
    },
  });
}

export const storeKeyFile = ({
  storeKeyFile: file,
  certs,
}: Pick<StoreConfig, 'storeKeyFile' | 'certs'>): string => file ?? join(certs, KEY_FILE);

/** For looking only; null where there is none. A store in memory is never there. */
export async function openConfiguredIfAny(config: StoreConfig): Promise<Store | null> {
  if (isInMemory(config.store)) return null;
  try {
    return await openConfigured(config, { readonly: true });
  } catch (error) {
    if (error instanceof SandgateError && error.code === 'store.missing') return null;
    throw error;
  }
}
