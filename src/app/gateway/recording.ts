/** Opens what remembers: store, recorder and worlds, with clocks that go on where the store left off. */
import { createMetrics, type Metrics } from '../../admin/index.js';
import { isOfBank } from '../../bank/index.js';
import type { Sign } from '../../evidence/index.js';
import { createFingerprint, createIdSource, createPseudonyms, firstIdAt } from '../../exchange/index.js';
import { createRecorder, type Recorder, redactNote } from '../../recorder/index.js';
import { checkOverrides, RULES } from '../../rules/index.js';
import { DAY_MS, dateAt, SandgateError } from '../../spec/index.js';
import { after, type Batch, COMMON_WORLD, type KeptChange, SLOTS, type Store } from '../../store/index.js';
import { keptClock, noteMove, openClock, readState } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import { openConfigured } from '../config/open-configured.js';
import { sourcesOf } from '../config/values.js';
import { openSessions, type Sessions } from '../sessions/open-sessions.js';
import { rotateSizeOf, settingsIn, settingsOf } from '../sessions/session-notes.js';
import type { SystemParts } from '../system/system-parts.js';
import { watchRoom } from './disk-room.js';
import { openWitness } from './evidence.js';
import { createStoreLog } from './failure-logs.js';
import { createFeeds } from './feeds.js';
import { createHeaders, createOperatorsView } from './headers.js';
import { createOthers } from './others.js';
import { createOwnListeners } from './own-listeners.js';
import { openTelemetry } from './telemetry.js';
import { createWorlds, type RunningWorld } from './worlds.js';

export type Recording = Awaited<ReturnType<typeof openRecording>>;
export type OnRecorded = (batch: Batch) => void;

const SEEDS = 2048;
/** Ids beyond are none that a gateway gave: going on from them would leave no room for more. */
const MOST_AHEAD_MS = DAY_MS;
/** The event loop stands still for so many ms where another process is writing; then it is tried again later. */
const LOCK_WAIT_MS = 10;
/** Gateways of a group hold it for the time of a commit. */
const LOCK_WAIT_AMONG_MS = 200;

/** A transaction costs as much as judging two calls: so few of one turn share that of the next one. */
const FEW = 4;

interface RecordingOptions {
  readonly sign?: Sign | null;
  readonly onRecorded?: OnRecorded;
  readonly slot?: number | undefined;
  readonly version?: string;
  readonly metricsOfOthers?: Parameters<typeof createMetrics>[1];
}

/** @throws SandgateError where the store cannot be opened, or a replay would be recorded into its own recording */
export async function openRecording(config: Config, parts: SystemParts, options: RecordingOptions = {}) {
  // A store in use would hide this mistake.
  checkOverrides([...RULES, ...(config.loadedRules?.rules ?? [])], config.rules ?? {});
  const store = await openConfigured(config, {
    encrypt: config.encrypt,
    durability: config.durability === 'power' ? 'power' : 'process',
    lockWait: options.slot === undefined ? LOCK_WAIT_MS : LOCK_WAIT_AMONG_MS,
  });
  let keeping: Keeping | null = null;
  try {
    keeping = await openKeeping(store, config, parts, options);
    return await openAround(keeping, config, parts, options);
  } catch (error) {
    keeping?.recorder.close();
    await store.close();
    throw error;
  }
}

type Keeping = Awaited<ReturnType<typeof openKeeping>>;

/** Worlds, and the recorder that keeps what happens in them. */
async function openKeeping(
  store: Store,
  config: Config,
  parts: SystemParts,
  { sign = null, onRecorded, slot }: RecordingOptions,
) {
  const isReplay = sourcesOf(config).includes('replay');
  // A replay hands out what was recorded, fingerprints among it.
  const fingerprint = createFingerprint(store.fingerprintKey, !isReplay);
  let forget: () => Promise<void> = async () => {};
  const serving = await store.serve(slot, () => forget());
  const isShared = serving.isShared && !isReplay;
  // Nothing of the bank is kept then, so what one gateway is told the others would not know.
  if (isShared && config.pseudonymise && config.bank === 'living')
    throw new SandgateError('config.shared-pseudonyms', {});
  const witness = sign === null ? null : openWitness(config, parts, store, sign);
  const kept = await store.sessions();
  const worlds = await createWorlds({
    store,
    isShared,
    openClock: (world, { clock: shared }) => {
      const clock = openClock(config, parts, keptClock(kept, world));
      if (shared !== undefined) clock.adopt(readState(shared));
      return clock;
    },
    isolated: config.isolateSessions,
    forgetful: isReplay,
    keepsNoBank: isReplay || config.pseudonymise,
    most: config.limits.sessions,
  });
  const feeds = createFeeds(worlds, isShared ? { store, timer: parts.timer } : null);
  const storeLog = createStoreLog(parts, feeds.stir, (session, settings) =>
    recorder.note(session, { at: parts.clock(), kind: 'unrecorded', settings }),
  );
  const others = isShared ? createOthers(store, worlds) : undefined;
  const mayKeep = changesKept(config, isReplay);
  const pseudonyms = config.pseudonymise ? createPseudonyms(store.fingerprintKey) : undefined;
  const recorder = createRecorder({
    others,
    few: isShared ? 0 : FEW,
    store: {
      place: store.place,
      append: (batch) =>
        after(store.append({ ...batch, changes: batch.changes.filter(mayKeep) }), () => {
          witness?.grew(batch.records.length + (batch.begun?.length ?? 0));
          feeds.kept(batch);
          if (batch.records.length + (batch.notes?.length ?? 0) > 0) storeLog.onKept();
          onRecorded?.(batch);
        }),
    },
    fingerprint,
    durability: config.durability,
    timer: parts.timer,
    onDown: storeLog.onDown,
    onUp: storeLog.onUp,
    pseudonyms,
  });
  forget = async () => {
    await recorder.drain();
    await worlds.renew();
    for (const world of worlds.open()) feeds.keptElsewhere(world, [{ step: 'restore', name: '' }]);
  };
  return {
    store,
    storeLog,
    worlds,
    isShared,
    fingerprint,
    pseudonyms,
    witness,
    recorder,
    feeds,
    others,
    serving,
  };
}

/** What stands around the recorder: headers, sessions, listeners, metrics and ids. */
async function openAround(
  { feeds, others, serving, ...keeping }: Keeping,
  config: Config,
  parts: SystemParts,
  { metricsOfOthers, version = '0' }: RecordingOptions,
) {
  const { store, storeLog, worlds, recorder, isShared, fingerprint, pseudonyms } = keeping;
  const { clock: machine } = parts;
  const telemetry = openTelemetry(config, {
    ...{ system: parts, feed: feeds.feed, version },
    secret: store.fingerprintKey,
    problem: () => recorder.problem()?.message ?? null,
  });
  const headers = createHeaders(isShared ? recorder : null, worlds.common);
  const sessions = await openSessions({
    share: headers.share,
    store,
    clock: machine,
    note: recorder.note,
    clean: (note) => redactNote(note, fingerprint, pseudonyms),
    name: nameOfSession(config, machine()),
    settings: settingsOf(config),
    enter: worlds.enter,
    settingsIn: (session) => settingsIn(worlds.of(session)),
    isolated: config.isolateSessions,
    rotateSize: rotateSizeOf(config),
    rotateEvery: config.sessionRotateEvery,
    mostNamed: config.limits.sessions,
    replayed: sourcesOf(config).includes('replay') ? config.replay : undefined,
  });
  headers.add('session', sessions);
  const catchUp = isShared
    ? createOperatorsView({ store, recorder, common: worlds.common })
    : async () => undefined;
  const listeners = createOwnListeners({ slot: () => serving.slot, share: headers.share, catchUp });
  headers.add('listeners', listeners);
  worlds.follow(recorder, noteClocks({ headers, sessions, storeLog, log: parts.log }));
  others?.begin({ headers, sessions, note: recorder.note, feeds });
  const room = watchRoom(store.place.file, parts);
  const isRecording = () => recorder.problem() === null;
  const readings = { waiting: recorder.waiting, isRecording, diskFree: room.free, told: telemetry.told };
  const metrics = createMetrics(readings, metricsOfOthers);
  return {
    ...keeping,
    feed: feeds.feed,
    liveFeed: feeds.liveFeed,
    sessions,
    headers,
    listeners,
    /** By which calls that name no session are judged and answered; ids and sessions keep to the machine's. */
    clock: worlds.common.clock,
    room,
    metrics,
    telemetry,
    recorder: { ...recorder, take: takeMetered(recorder, sessions, metrics) },
    /** Hears of the changes of worlds once they are kept, whether a call, an operator or another gateway made them. */
    onKept: feeds.onChanges,
    /** Resolves to whether this gateway does what one alone is to do for all of them. */
    isFirst: serving.isFirst,
    nextId: createIdSource({
      clock: machine,
      ...(isShared ? { slot: idSlot(serving) } : { seed: parts.chance.below(SEEDS) }),
      after: await store.calls.newest(firstIdAt(machine() + MOST_AHEAD_MS)),
    }),
  };
}

function nameOfSession(config: Config, now: number): string {
  const { session, replay } = config;
  const isReplay = sourcesOf(config).includes('replay');
  const today = dateAt(now);
  const name = session ?? (isReplay ? `replay-${today}` : today);
  if (isReplay && name === replay) throw new SandgateError('session.into-itself', { name });
  return name;
}

/** Notes the moves of a world's clock, and tells others of a clock that this gateway alone has moved so far. */
const noteClocks =
  ({
    headers,
    sessions,
    storeLog,
    log,
  }: Pick<Recording, 'headers' | 'sessions' | 'storeLog'> & Pick<SystemParts, 'log'>) =>
  (world: RunningWorld): void => {
    const { clock, name, known } = world;
    const isUnknown = (): boolean => known != null && known.state.header.clock === undefined;
    clock.onChange((move) => {
      sessions.moved(noteMove(move), name);
      log.info(
        { ...noteMove(move), ...(name === COMMON_WORLD ? {} : { session: name }) },
        'The clock was moved.',
      );
    });
    if (!isUnknown() || clock.state().mode === 'real') return;
    setImmediate(() => {
      if (isUnknown())
        Promise.resolve(headers.share(() => () => {}, world)).catch(() => storeLog.onUnrecorded());
    });
  };

/** What may be judged anew is counted once it is kept. */
const takeMetered =
  (recorder: Recorder, { grew }: Sessions, metrics: Metrics): Recorder['take'] =>
  (exchange, judged, changes, onLost, basis) => {
    grew(exchange);
    const taken = recorder.take(exchange, judged, changes, onLost, basis);
    const observe = () => metrics.observe(exchange, judged.findings);
    if (basis === undefined) observe();
    else taken.then(observe, () => {});
    return taken;
  };

/**
 * What happens again in a replay is judged by itself, and is no fact about the TPP; and what the living bank remembers names
 * people, who could not be found again under pseudonyms.
 */
const changesKept =
  ({ pseudonymise }: Config, isReplay: boolean) =>
  (change: KeptChange): boolean =>
    !isReplay && ('step' in change || !pseudonymise || !isOfBank(change));

/** Another gateway that ends may leave its slot to this one. */
function idSlot(serving: { readonly slot: number }) {
  return {
    get number() {
      return serving.slot;
    },
    of: SLOTS,
  };
}
