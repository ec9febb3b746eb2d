/** The addresses and the path segment of the gateway that recorded a session, from its notes. */
import { gatewayNotes, type ListenerOrigins, originsBehind } from '../../exchange/index.js';
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
  const bank = new Set<string>();
  let segment: string | undefined;
  let recordedBy: string | undefined;
  for (const { settings } of gatewayNotes(notes)) {
    segment ??= settings.segment;
    recordedBy ??= settings.recordedBy;
    for (const url of [settings.urls?.api ?? []].flat()) api.add(url);
    for (const url of [settings.urls?.psu ?? []].flat()) psu.add(url);
    for (const origin of originsBehind(settings)) bank.add(origin);
  }
  const behind = bank.size === 0 ? {} : { bank: [...bank] };
  const listeners = { api: [...api], psu: [...psu], ...behind };
  return { listeners, segment, recordedBy };
}
