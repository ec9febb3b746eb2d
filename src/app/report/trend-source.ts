/** Draws a trend out of the sessions of a store: each is read once, with the verdicts that it holds. */
import { gatewayNotes } from '../../exchange/index.js';
import { openTrend, type Trend, type TrendOptions } from '../../report/index.js';
import type { SessionInfo, Store } from '../../store/index.js';
import type { LoadedConfig } from '../config/load.js';
import { judgingOf } from './judging.js';
import { chooseSettings, type Settings } from './periods.js';

/** `pause` is told how many exchanges were taken, and may give others a turn. */
export async function drawTrend(
  store: Pick<Store, 'read'>,
  sessions: readonly SessionInfo[],
  loaded: LoadedConfig,
  options: TrendOptions,
  pause: (taken: number) => Promise<void> | undefined = () => undefined,
): Promise<Trend> {
  const trend = openTrend(options);
  let taken = 0;
  for (const session of [...sessions].sort((a, b) => a.startedAt - b.startedAt)) {
    const { settings } = chooseSettings({ ...loaded, effective: [] }, inForce(session));
    const open = trend.openSession(
      session,
      settings.map((one) => judgingOf(one, { origins: [], foreign: false })),
    );
    // Bodies say nothing of verdicts that are there.
    const records = store.read(session.name, {
      limit: session.exchanges,
      isBrief: true,
      onUnreadable: open.miss,
    });
    for await (const record of records) {
      open.take(record);
      const paused = pause(++taken);
      if (paused !== undefined) await paused;
    }
    open.close();
  }
  return trend.close();
}

/** The settings of each period; a change notes only what has another value. */
function inForce({ notes }: SessionInfo): Settings[] {
  const periods: Settings[] = [];
  for (const { kind, settings } of gatewayNotes(notes))
    periods.push(kind === 'changed' ? { ...periods.at(-1), ...settings } : settings);
  return periods;
}
