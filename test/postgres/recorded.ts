/** The session of `record` in a PostgreSQL store, by one gateway or by several in turn. */
import {
  createSqliteStore,
  noteIn,
  openStore,
  type RecordedExchange,
  type Store,
} from '../../src/store/index.js';
import { record, VALID } from '../report/a-recording.js';
import { all } from '../rows.js';

/** What is recorded in a new file. */
export function recordedInFile(path: string): RecordedExchange[] {
  const store = createSqliteStore({ path });
  const records = record(store, VALID);
  store.close();
  return records;
}

/**
 * The same session as in the file, with its secret, by so many gateways; each is given to `end` before it is closed, in
 * order.
 */
export async function recordedInSchema(
  address: string,
  file: string,
  gateways: number,
  end: (store: Store) => unknown = () => {},
): Promise<void> {
  const from = createSqliteStore({ path: file, readonly: true });
  const [session] = from.sessions();
  const records = await all(from.read('june'));
  from.close();
  const keyFile = `${file}.key`;
  const stores: Store[] = [];
  for (let i = 0; i < gateways; i++) stores.push(await openStore(address, { postgres: { keyFile } }));
  const [note] = session?.notes ?? [];
  for (const store of stores) if (note !== undefined) await noteIn(store, 'june', note);
  for (const [i, one] of records.entries())
    await stores[i % gateways]?.append({ records: [one], changes: [] });
  for (const store of stores) {
    await end(store);
    await store.close();
  }
}
