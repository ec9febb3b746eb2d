/** Writes a session of the store as a HAR or a cassette. */

import { recordedAgain, stableCassette, through } from '../../exchange/index.js';
import { cassetteText, harText } from '../../exchange/recording/index.js';
import type { Dialect } from '../../spec/index.js';
import {
  type FilterTree,
  type SessionInfo,
  type Store,
  withContent,
  withSteps,
  withUnfinished,
} from '../../store/index.js';
import { firstOf, recordedAt, stepsOf, stepsOfWorlds, stepsWithin } from './session-notes.js';

export const EXPORT_FORMATS = ['cassette', 'har'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly version: string;
  readonly where?: FilterTree;
  /** A cassette holds findings; with this it holds verdicts too, as a HAR does always. */
  readonly verdicts?: boolean;
  /** The interface where the session's notes do not say it. */
  readonly dialect: Dialect;
  /** Writes a cassette's names and times by their order, so that the same journey has the same bytes. */
  readonly stable?: boolean;
  /** The text of an older cassette, of which what is equal is kept. */
  readonly over?: string;
  /** Called for each exchange that was looked at, with whether it is in the file: without its content none is. */
  readonly onExchange?: (taken: boolean) => void;
}

type Source = Pick<Store, 'read' | 'calls' | 'chains' | 'sessions'>;

/** The file in chunks, an exchange each, so that a long session never lies in memory; stable or over another one, whole. */
export async function* exportSession(
  store: Source,
  session: SessionInfo,
  options: ExportOptions,
): AsyncGenerator<string> {
  const chunks = exchangesOf(store, session, options);
  const { over, stable = false } = options;
  if (over === undefined && !stable) return yield* chunks;
  let fresh = '';
  for await (const chunk of chunks) fresh += chunk;
  yield over === undefined ? stableCassette(fresh) : recordedAgain(fresh, over);
}

async function* exchangesOf(
  store: Source,
  session: SessionInfo,
  options: ExportOptions,
): AsyncGenerator<string> {
  const { listeners, dialect = options.dialect, recordedBy } = recordedAt(session);
  const meta = { session: session.name, dialect, ...(recordedBy === undefined ? {} : { recordedBy }) };
  const { where, onExchange } = options;
  // As it was when it was asked for: a session that goes on would have no end.
  const { name, exchanges } = session;
  // That it came out of a file is no part of what was recorded.
  const notes = session.notes.filter(({ kind }) => kind !== 'imported');
  const all = await stepsOf(store, session, stepsOfWorlds(await store.sessions()));
  const steps = withSteps(stepsWithin(all, await firstOf(store, name)));
  // What cannot be read is not as it was recorded: whoever exports it looks at the chain.
  const readable = store.read(name, {
    where,
    limit: exchanges,
    onUnreadable: steps.pass,
    onPassed: (exchange) => {
      steps.pass(exchange);
      onExchange?.(false);
    },
  });
  const begun = await store.calls.unfinished(name, { onUnreadable: () => {} });
  const whole = withContent((exchange) => {
    steps.pass(exchange);
    onExchange?.(false);
  });
  const text =
    options.format === 'cassette'
      ? cassetteText({ ...meta, origins: listeners, verdicts: options.verdicts === true })
      : harText({ ...meta, version: options.version, listeners, notes });
  yield* through(through(through(through(readable, withUnfinished(begun, where)), whole), steps), {
    take: (record) => {
      onExchange?.(true);
      return text.take(record);
    },
    close: text.close,
  });
}
