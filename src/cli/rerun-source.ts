/** Opens the recording that the user named: a session of the store, or a file. */

import { type Config, readText } from '../app/config/index.js';
import type { RerunSource } from '../app/rerun/index.js';
import { type GatewayNote, lastSettings } from '../exchange/index.js';
import { readRecording } from '../exchange/recording/index.js';
import { withNamed } from './named-recording.js';

export interface NamedSource extends RerunSource {
  /** Of the gateway that recorded, as far as it is known. */
  readonly settings: GatewayNote['settings'];
}

/** Opens it, does the work, and closes it. `segment`: where the recording does not tell its own. */
export function withRerunSource<T>(
  name: string,
  config: Config,
  work: (source: NamedSource) => Promise<T>,
): Promise<T> {
  const { segment } = config;
  return withNamed(name, config, async (found) => {
    if (found === null) {
      const { format, records, notes, segment: own } = readRecording(readText(name), { name, segment });
      return work({
        name,
        segment: own,
        records: () => records,
        notes: format === 'har' ? notes : [],
        settings: {},
      });
    }
    const settings = lastSettings(found.session.notes);
    return work({
      name,
      segment: settings.segment ?? segment,
      records: () => found.store.read(name),
      notes: found.session.notes,
      settings,
    });
  });
}
