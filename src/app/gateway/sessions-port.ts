/** Sessions as the admin API has them: listed, followed by new ones, marked, and written as files and reports. */
import { setImmediate } from 'node:timers/promises';
import type { SessionsPort } from '../../admin/index.js';
import { dateAt, SandgateError } from '../../spec/index.js';
import { isSessionName, SESSION_NAME_FORM, type Store } from '../../store/index.js';
import type { Config } from '../config/config.js';
import type { Sessions } from '../sessions/open-sessions.js';

/** Exchanges, some ms of work; calls are answered in between. */
const A_TURN = 20;

export function sessionsPort(
  config: Config,
  { store, sessions }: { readonly store: Store; readonly sessions: Sessions },
  clock: () => number,
  version: string,
): SessionsPort {
  let isReporting = false;
  const report: SessionsPort['report'] = async (session, format) => {
    const [{ renderReport }, { drawReport, openSessionSource }] = await Promise.all([
      import('../../report/index.js'),
      import('../report/index.js'),
    ]);
    // What the session was recorded under counts, so that it is what `sandgate report` says of it.
    const loaded = { config, effective: [] };
    const source = await openSessionSource(store, session, { loaded, today: dateAt(clock()) });
    const drawn = await drawReport(source, { version }, (taken) =>
      taken % A_TURN === 0 ? setImmediate() : undefined,
    );
    return renderReport(drawn, format);
  };
  return {
    all: () => store.sessions(),
    current: sessions.current,
    begin: (name = config.session ?? dateAt(clock())) => {
      if (!isSessionName(name)) throw new SandgateError('session.name', { name, form: SESSION_NAME_FORM });
      return sessions.follow(name);
    },
    mark: (name, text) => {
      if (!sessions.isOpen(name)) throw new SandgateError('session.not-open', { name: name.slice(0, 100) });
      return sessions.mark(name, text);
    },
    write: async function* (session, format) {
      const { exportSession } = await import('../sessions/export-session.js');
      yield* exportSession(store, session, { format, version, segment: config.segment });
    },
    report: async (session, format) => {
      if (isReporting) throw new SandgateError('report.busy', {});
      isReporting = true;
      try {
        return await report(session, format);
      } finally {
        isReporting = false;
      }
    },
  };
}
