/** The addresses and the path segment of the gateway that recorded a session, from its notes. */
import { gatewayNotes, type ListenerOrigins } from '../../exchange/index.js';
import type { SessionInfo } from '../../store/index.js';

export interface RecordedAt {
  readonly listeners: ListenerOrigins;
  /** undefined where no note says it. */
  readonly segment: string | undefined;
  /** The program of others that recorded it; undefined where a gateway of ours did. */
  readonly recordedBy: string | undefined;
}

/** Of a session that was recorded in several runs, all their addresses, each once. */
export function recordedAt({ notes }: Pick<SessionInfo, 'notes'>): RecordedAt {
  const api = new Set<string>();
  const psu = new Set<string>();
  let segment: string | undefined;
  let recordedBy: string | undefined;
  for (const { settings } of gatewayNotes(notes)) {
    segment ??= settings.segment;
    recordedBy ??= settings.recordedBy;
    for (const url of [settings.urls?.api ?? []].flat()) api.add(url);
    for (const url of [settings.urls?.psu ?? []].flat()) psu.add(url);
  }
  return { listeners: { api: [...api], psu: [...psu] }, segment, recordedBy };
}
