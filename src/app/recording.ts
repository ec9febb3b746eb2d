/** The part of the gateway that remembers: store, ledger, recorder. */
import {
  createFingerprint,
  createIdSource,
  createPseudonyms,
  type Fingerprint,
  type IdSource,
} from '../exchange/index.js';
import { createLedger, type Ledger } from '../ledger/index.js';
import { createRecorder, type Recorder } from '../recorder/index.js';
import { SandgateError } from '../spec/index.js';
import { createSqliteStore, type Store } from '../store/index.js';
import type { Config } from './config.js';
import { sourcesOf } from './config-values.js';
import { errorFacts } from './log.js';
import { openSessions, type Sessions } from './sessions/open-sessions.js';
import { settingsOf } from './sessions/settings-of.js';
import type { SystemParts } from './system-parts.js';

export interface Recording {
  readonly store: Store;
  readonly fingerprint: Fingerprint;
  readonly ledger: Ledger;
  readonly recorder: Recorder;
  readonly nextId: IdSource;
  readonly sessions: Sessions;
  /** Why exchanges could not be kept a short while ago; null where they were. */
  readonly problem: () => string | null;
}

const SEEDS = 2048;
/** A fault is told for so long: a gateway that gets no calls for it must have another try. */
const PROBLEM_MS = 30_000;

export function openRecording(config: Config, parts: SystemParts): Recording {
  const { clock } = parts;
  const store = createSqliteStore({
    path: config.store,
    durability: config.durability === 'power' ? 'power' : 'process',
  });
  let fault: { readonly at: number; readonly message: string } | null = null;
  const onFault = (error: unknown) => {
    fault = { at: clock(), message: error instanceof Error ? error.message : String(error) };
    parts.log.error(errorFacts(error), 'Exchanges could not be recorded.');
  };
  try {
    const fingerprint = createFingerprint(store.fingerprintKey);
    const isReplay = sourcesOf(config).includes('replay');
    const today = new Date(clock()).toISOString().slice(0, 10);
    const session = config.session ?? (isReplay ? `replay-${today}` : today);
    if (isReplay && session === config.replay) throw replayedIntoItself(session);
    const sessions = openSessions({
      ...{ store, clock, onFault },
      name: session,
      settings: settingsOf(config),
      rotateSize: rotateSizeOf(config),
      rotateEvery: config.sessionRotateEvery,
      mostNamed: config.limits.sessions,
      replayed: isReplay ? config.replay : undefined,
    });
    const recorder = createRecorder({
      store: isReplay ? { append: ({ records }) => store.append({ records, changes: [] }) } : store,
      ...{ fingerprint, onFault, durability: config.durability },
      pseudonyms: config.pseudonymise ? createPseudonyms(store.fingerprintKey) : undefined,
    });
    return {
      store,
      sessions,
      fingerprint,
      // What happens again in a replay is judged by itself, and is no fact about the TPP.
      ledger: createLedger(isReplay ? [] : store.ledger()),
      recorder: {
        ...recorder,
        take: (exchange, judged, changes, onLost) => {
          sessions.grew(exchange);
          return recorder.take(exchange, judged, changes, onLost);
        },
      },
      nextId: createIdSource({ clock, seed: parts.chance.below(SEEDS), after: store.newest() }),
      problem: () => (fault !== null && clock() - fault.at < PROBLEM_MS ? fault.message : null),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Only whole sessions are removed for their size: where nothing is said of rotation, ten of them fill the store. */
function rotateSizeOf({ sessionRotateSize, sessionRotateEvery, keepSize }: Config): number | undefined {
  if (sessionRotateSize !== undefined || sessionRotateEvery !== undefined || keepSize === undefined)
    return sessionRotateSize;
  return Math.ceil(keepSize / 10);
}

function replayedIntoItself(session: string): SandgateError {
  return new SandgateError(
    'usage',
    `The session ${session} cannot be replayed into itself; name another one with --session.`,
  );
}
