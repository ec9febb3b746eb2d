/** Which store answers at an address, and the key of its fingerprints: each connection must find the same. */
import { randomBytes } from 'node:crypto';
import { SandgateError } from '../../spec/index.js';
import { keyFrom } from '../key-file.js';
import type { Connection, ConnectOptions } from './client.js';
import { hashOfKey, keyOf, prepareSchema, readIdentity } from './migrations.js';

const KEY_BYTES = 32;

export function createIdentity(
  { address, readonly }: Pick<ConnectOptions, 'address' | 'readonly'>,
  keyFile: string | undefined,
) {
  const { shown } = address;
  let store = '';
  let isChecked = false;
  let key: Uint8Array = randomBytes(KEY_BYTES);

  const changed = (what: string): SandgateError =>
    new SandgateError('store.unusable', { path: shown, why: `${what}; start the gateway anew` });

  async function keyNow(connection: Connection): Promise<Uint8Array> {
    if (readonly) return keyFrom(keyFile, true) ?? key;
    const found = await keyOf(connection, keyFile);
    if (found === null) throw new SandgateError('store.other-key', { file: keyFile ?? '', store: shown });
    return found;
  }

  return {
    /** Its id, once a connection was checked. */
    store: () => store,
    key: () => key,
    /** Once for each connection: another database may answer at the address now. @throws SandgateError */
    check: async (connection: Connection) => {
      await prepareSchema(connection, address, readonly);
      const identity = await readIdentity(connection);
      if (identity.isCopying) throw new SandgateError('store.unfinished', { store: shown });
      if (isChecked && identity.store !== store) throw changed('it is another store than it was');
      // Fingerprints of two keys would not know each other.
      if (isChecked && !readonly && identity.keyHash !== hashOfKey(store, key))
        throw changed('the key of its fingerprints is another one than it was');
      store = identity.store;
      if (!isChecked) key = await keyNow(connection);
      isChecked = true;
    },
  };
}
