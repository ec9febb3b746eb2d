/** Opens what remembers: store, recorder and worlds, with clocks that go on where the store left off. */
import type { Feed } from '../../admin/index.js';
import { isOfBank, readStored, type WorldStep } from '../../bank/index.js';
import type { Sign, Witness } from '../../evidence/index.js';
import {
  createFingerprint,
  createIdSource,
  createPseudonyms,
  type Fingerprint,
  firstIdAt,
  type GatewayNote,
  type IdSource,
} from '../../exchange/index.js';
import { createRecorder, type Recorder } from '../../recorder/index.js';
import { DAY_MS, dateAt, SandgateError } from '../../spec/index.js';
import {
  after,
  type Batch,
  type CaughtFact,
  COMMON_WORLD,
  type KeptChange,
  LANES,
  type Serving,
  type Store,
  type WorldHeader,
} from '../../store/index.js';
import type { Clock } from '../clock/clock.js';
import { keptClock, noteClock, noteMove, readState } from '../clock/clock-notes.js';
import { openClock } from '../clock/open-clock.js';
import type { Config } from '../config/config.js';
import { openConfigured } from '../config/open-configured.js';
import { sourcesOf } from '../config/values.js';
import { openSessions, type Sessions } from '../sessions/open-sessions.js';
import { settingsOf } from '../sessions/settings-of.js';
import type { SystemParts } from '../system/system-parts.js';
import { type RoomWatch, watchRoom } from './disk-room.js';
import { createFeeds } from './feeds.js';
import { createHeaders, type Headers } from './headers.js';
import { createKeptChanges, type KeptChanges } from './kept-changes.js';
import { openWitness } from './open-witness.js';
import { createOperatorsView } from './operators-view.js';
import { createOthers } from './others.js';
import { createOwnListeners, type OwnListeners } from './own-listeners.js';
import { createStoreLog, type StoreLog } from './store-log.js';
import { stepsTold } from './told-steps.js';
import { createWorlds, type RunningWorld, type Worlds } from './worlds.js';

/** A transaction costs as much as judging two calls: so few of one turn share that of the next one. */
const FEW = 4;

export interface Recording {
  readonly store: Store;
  readonly fingerprint: Fingerprint;
  readonly worlds: Worlds;
  readonly recorder: Recorder;
  /** What is changed for all gateways. */
  readonly headers: Headers;
  /** Where the gateways on the store listen. */
  readonly listeners: OwnListeners;
  /** Other gateways serve on the store as well. */
  readonly isShared: boolean;
  /** What one gateway alone is to do for all of them is for this one. */
  readonly isFirst: Serving['isFirst'];
  /** Told of the changes of a world, of calls as of operators and of other gateways, once they are kept. */
  readonly onKept: KeptChanges['listen'];
  readonly nextId: IdSource;
  /** Told of all that this gateway keeps. */
  readonly feed: Feed;
  /** Of all that gateways on the store keep. */
  readonly liveFeed: Feed;
  /** By which calls that name no session are judged and answered; ids and sessions keep to the machine's. */
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly storeLog: StoreLog;
  readonly room: RoomWatch;
  /** null where nothing is signed. */
  readonly witness: Witness | null;
}

export type OnRecorded = (batch: Batch) => void;

const MOVED = 'The clock was moved.';
const SEEDS = 2048;
/** Ids beyond are none that a gateway gave: going on from them would leave no room for more. */
const MOST_AHEAD_MS = DAY_MS;
/** In ms: the event loop stands still for so long where another process is writing; then it is tried again later. */
const LOCK_WAIT_MS = 10;
/** Gateways of a group hold it for the time of a commit. */
const LOCK_WAIT_AMONG_MS = 200;

export interface RecordingOptions {
  /** Signs checkpoints of what is recorded; without it there are none. */
  readonly sign?: Sign | null;
  readonly onRecorded?: OnRecorded;
  /** See `Store.serve`. */
  readonly lane?: number | undefined;
}

export async function openRecording(
  config: Config,
  parts: SystemParts,
  { sign = null, onRecorded, lane }: RecordingOptions = {},
): Promise<Recording> {
  const machine = parts.clock;
  const store = await openConfigured(config, {
    durability: config.durability === 'power' ? 'power' : 'process',
    lockWait: lane === undefined ? LOCK_WAIT_MS : LOCK_WAIT_AMONG_MS,
  });
  const storeLog = createStoreLog(parts);
  let made: Recorder | null = null;
  try {
    const isReplay = sourcesOf(config).includes('replay');
    // A replay hands out what was recorded, fingerprints among it.
    const fingerprint = createFingerprint(store.fingerprintKey, !isReplay);
    const serving = await store.serve(lane);
    const isShared = serving.isShared && !isReplay;
    const today = dateAt(machine());
    const session = config.session ?? (isReplay ? `replay-${today}` : today);
    if (isReplay && session === config.replay) throw replayedIntoItself(session);
    const witness = sign === null ? null : openWitness(config, parts, store, sign);
    const mayKeep = (change: KeptChange): boolean =>
      // What happens again in a replay is judged by itself, and is no fact about the TPP; and what the living bank
      // remembers names people, who could not be found again under pseudonyms.
      !isReplay && ('step' in change || !config.pseudonymise || !isOfBank(change));
    const feeds = createFeeds(
      isShared ? { store, timer: parts.timer, catchUp: () => worlds.catchUp() } : null,
    );
    const keptChanges = createKeptChanges(
      (name) => (name === null ? undefined : worlds.named(name)) ?? worlds.common,
    );
    const others = isShared
      ? createOthers({
          store,
          world: (name) => worlds.named(name),
          onHeader: (world, header, since) => {
            headers.adopt(world, header);
            for (const { note, sessions: told } of stepsTold(header, since))
              for (const one of sessions.meeting(world.name))
                if (sessions.isOpen(one) && !told.includes(one)) recorder.note(one, note);
            feeds.liveFeed.stir();
          },
          onFacts: (world, facts) => {
            const changes = (facts ?? ([{ step: 'restore', name: '' }] as const)).map(readChange);
            keptChanges.tell(world, changes);
            feeds.liveFeed.kept({ records: [], changes, notes: [] });
          },
        })
      : undefined;
    const recorder = createRecorder({
      others,
      few: others === undefined ? FEW : 0,
      store: {
        place: store.place,
        append: (batch) => {
          const kept = store.append({ ...batch, changes: batch.changes.filter(mayKeep) });
          return after(kept, () => {
            witness?.grew(batch.records.length + (batch.begun?.length ?? 0));
            const { records, changes, notes = [] } = batch;
            feeds.kept({ records, changes, notes });
            onRecorded?.(batch);
          });
        },
      },
      fingerprint,
      durability: config.durability,
      timer: parts.timer,
      onDown: (fault) => {
        storeLog.onDown(fault);
        feeds.stir();
      },
      onUp: () => {
        storeLog.onUp();
        feeds.stir();
      },
      pseudonyms: config.pseudonymise ? createPseudonyms(store.fingerprintKey) : undefined,
    });
    made = recorder;
    const kept = await store.sessions();
    const openOne = (world: string, { clock: shared }: WorldHeader): Clock => {
      const clock = openClock(config, parts, keptClock(kept, world));
      if (shared !== undefined) clock.adopt(readState(shared));
      else if (isShared && clock.state().mode !== 'real') setImmediate(() => tellClock(world));
      clock.onChange((move) => {
        sessions.moved(noteMove(move), world);
        parts.log.info({ ...noteMove(move), ...(world === COMMON_WORLD ? {} : { session: world }) }, MOVED);
      });
      return clock;
    };
    /** The first one that opens a world says what its clock shows. */
    const tellClock = (name: string): void => {
      const world = worlds.named(name);
      if (world?.known?.standing.header.clock !== undefined || world === undefined) return;
      Promise.resolve(headers.share(world, () => () => {})).catch(storeLog.onUnrecorded);
    };
    const worlds = await createWorlds({
      catchUp: isShared ? recorder.catchUp : null,
      store,
      openClock: openOne,
      isolated: config.isolateSessions,
      forgetful: isReplay,
      keepsNoBank: isReplay || config.pseudonymise,
      isNamed: (name) => sessions.isNamed(name),
      most: config.limits.sessions,
    });
    const headers = createHeaders(isShared ? recorder : null, () => worlds.common);
    const sessions = await openSessions({
      share: (apply) => headers.share(worlds.common, apply),
      store,
      clock: machine,
      note: recorder.note,
      name: session,
      settings: settingsOf(config),
      enter: worlds.enter,
      settingsIn: (name) => settingsIn(worlds.of(name)),
      isolated: config.isolateSessions,
      rotateSize: rotateSizeOf(config),
      rotateEvery: config.sessionRotateEvery,
      mostNamed: config.limits.sessions,
      replayed: isReplay ? config.replay : undefined,
    });
    headers.add('session', sessions);
    const listeners = createOwnListeners({
      lane: () => serving.lane,
      share: (apply) => headers.share(worlds.common, apply),
      catchUp: isShared
        ? createOperatorsView({ store, recorder, common: worlds.common })
        : async () => undefined,
    });
    headers.add('listeners', listeners);
    const told = keptChanges.told(recorder);
    const ids = {
      get number() {
        return serving.lane;
      },
      of: LANES,
    };
    return {
      store,
      storeLog,
      feed: feeds.feed,
      liveFeed: feeds.liveFeed,
      sessions,
      worlds,
      headers,
      listeners,
      isShared,
      clock: worlds.common.clock,
      fingerprint,
      witness,
      room: watchRoom(store.place.file, parts),
      recorder: {
        ...told,
        take: (exchange, ...rest) => {
          sessions.grew(exchange);
          return told.take(exchange, ...rest);
        },
      },
      onKept: keptChanges.listen,
      isFirst: serving.isFirst,
      nextId: createIdSource({
        clock: machine,
        ...(isShared ? { lane: ids } : { seed: parts.chance.below(SEEDS) }),
        after: await store.calls.newest(firstIdAt(machine() + MOST_AHEAD_MS)),
      }),
    };
  } catch (error) {
    made?.close();
    await store.close();
    throw error;
  }
}

/** What another gateway changed, as listeners are told of changes. */
const readChange = (caught: CaughtFact | WorldStep): KeptChange =>
  'step' in caught ? caught : readStored(caught);

/** What a session notes of the world that its calls meet. */
function settingsIn({ name, clock }: RunningWorld): GatewayNote['settings'] {
  return { clock: noteClock(clock.state()), ...(name === COMMON_WORLD ? {} : { world: name }) };
}

/** Only whole sessions are removed for their size: where nothing is said of rotation, ten of them fill the store. */
function rotateSizeOf({ sessionRotateSize, sessionRotateEvery, keepSize }: Config): number | undefined {
  if (sessionRotateSize !== undefined || sessionRotateEvery !== undefined || keepSize === undefined)
    return sessionRotateSize;
  return Math.ceil(keepSize / 10);
}

function replayedIntoItself(session: string): SandgateError {
  return new SandgateError('session.into-itself', { name: session });
}
