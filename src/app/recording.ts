/** The part of the gateway that remembers: store, ledger, recorder. */
import { createFingerprint, createIdSource, type Fingerprint, type IdSource } from '../exchange/index.js';
import { createLedger, type Ledger } from '../ledger/index.js';
import { createRecorder, type Recorder } from '../recorder/index.js';
import { createSqliteStore, type Store } from '../store/index.js';
import type { Config } from './config.js';
import { errorFacts } from './log.js';
import type { SystemParts } from './system-parts.js';

export interface Recording {
  readonly store: Store;
  readonly fingerprint: Fingerprint;
  readonly ledger: Ledger;
  readonly recorder: Recorder;
  readonly nextId: IdSource;
  readonly session: string;
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
  const onFault = (error: Error) => {
    fault = { at: clock(), message: error.message };
    parts.log.error(errorFacts(error), 'Exchanges could not be recorded.');
  };
  try {
    const fingerprint = createFingerprint(store.fingerprintKey);
    const session = config.session ?? new Date(clock()).toISOString().slice(0, 10);
    store.note(session, { at: clock(), kind: 'started', settings: settingsOf(config) });
    return {
      store,
      fingerprint,
      ledger: createLedger(store.ledger()),
      recorder: createRecorder({ store, fingerprint, onFault, durability: config.durability }),
      nextId: createIdSource({ clock, seed: parts.chance.below(SEEDS), after: store.newest() }),
      session,
      problem: () => (fault !== null && clock() - fault.at < PROBLEM_MS ? fault.message : null),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** What a reader of the session must know of the gateway that recorded it. */
function settingsOf(config: Config): Record<string, unknown> {
  const {
    source,
    stance,
    profile,
    rules,
    waivers,
    dailyWindow,
    dailyTimeZone,
    segment,
    scaLink,
    durability,
  } = config;
  return {
    source,
    stance,
    profile,
    rules,
    waivers,
    dailyWindow,
    dailyTimeZone,
    segment,
    scaLink,
    durability,
  };
}
