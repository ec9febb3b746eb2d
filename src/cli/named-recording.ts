/** Opens the recording that the user named: a session of the store that serve would use, or a file. */
import { type Config, isFile, openConfiguredIfAny, pickSource } from '../app/config/index.js';
import { type SessionInfo, type Store, storeName } from '../store/index.js';

export interface NamedSession {
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
