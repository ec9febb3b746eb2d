/** Opens the recording that the user named: a session of the store, or a file. */

import { type Config, isFile, openConfiguredIfAny, readText } from '../app/config/index.js';
import { pickSource } from '../app/report/index.js';
import type { RerunSource } from '../app/rerun/index.js';
import { type GatewayNote, lastSettings } from '../exchange/index.js';
import { readRecording } from '../exchange/recording/index.js';
import { storeName } from '../store/index.js';

export interface NamedSource extends RerunSource {
  /** Of the gateway that recorded, as far as it is known. */
  readonly settings: GatewayNote['settings'];
}

/** Opens it, does the work, and closes it. `segment`: where the recording does not tell its own. */
export async function withRerunSource<T>(
  name: string,
  config: Config,
  work: (source: NamedSource) => Promise<T>,
): Promise<T> {
  const { segment } = config;
  const path = storeName(config.store);
  const store = await openConfiguredIfAny(config);
  try {
    const sessions = (await store?.sessions()) ?? [];
    const session = sessions.find((one) => one.name === name);
    const names = sessions.map((one) => one.name);
    const kind = pickSource(
      name,
      { isFile: isFile(name), isSession: session !== undefined, store: path },
      names,
    );
    if (kind === 'file' || store === null || session === undefined) {
      const { records, segment: own } = readRecording(readText(name), { name, segment });
      return await work({ name, segment: own, records: () => records, settings: {} });
    }
    const settings = lastSettings(session.notes);
    const own = settings.segment ?? segment;
    return await work({ name, segment: own, records: () => store.read(name), settings });
  } finally {
    await store?.close();
  }
}
