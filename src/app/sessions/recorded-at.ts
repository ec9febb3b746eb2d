/** The addresses and the path segment of the gateway that recorded a session, from its notes. */
import type { ListenerOrigins } from '../../exchange/index.js';
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
  for (const { settings } of notes) {
    if (typeof settings.segment === 'string') segment ??= settings.segment;
    if (typeof settings.recordedBy === 'string') recordedBy ??= settings.recordedBy;
    const { urls = {} } = settings as { urls?: { api?: unknown; psu?: unknown } };
    addTexts(api, urls.api);
    addTexts(psu, urls.psu);
  }
  return { listeners: { api: [...api], psu: [...psu] }, segment, recordedBy };
}

/** A text, or a list of them. */
function addTexts(texts: Set<string>, given: unknown): void {
  for (const one of Array.isArray(given) ? given : [given]) if (typeof one === 'string') texts.add(one);
}
