/** Stores in PostgreSQL for tests, each in a schema of its own. */
import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/store/index.js';
import { aPath } from '../store/stores.js';
import { addressOf } from './run-server.js';

/** An address where nothing is yet. */
export const aSchema = (): string => addressOf(inject('postgres'), `t_${randomBytes(6).toString('hex')}`);

type Options = NonNullable<StoreOptions['postgres']> & { readonly readonly?: boolean };

export async function postgresStore(
  address = aSchema(),
  { readonly = false, keyFile = aPath('store.key'), ...options }: Options = {},
): Promise<Store> {
  const store: Store = await openStore(address, { readonly, postgres: { keyFile, ...options } });
  onTestFinished(() => store.close());
  return store;
}
