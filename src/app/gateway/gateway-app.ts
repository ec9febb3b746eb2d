/** Starts a gateway from its settings, and closes all of its parts again. */
import type { Feed } from '../../admin/index.js';
import type { HowToRecord } from '../../answer/index.js';
import { timeOfId } from '../../exchange/index.js';
import type { LedgerState } from '../../ledger/index.js';
import { type IndexThread, type Lookup, openLookup, type Store, storeName } from '../../store/index.js';
import { type Certificates, ensureCertificates } from '../certificates/ensure.js';
import { configuredTime } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import { withOwnRules } from '../own-rules/index.js';
import { startRetention } from '../sessions/retention.js';
import type { SystemParts } from '../system/system-parts.js';
import { knownUrls, type Urls } from './addresses.js';
import { configuredEntries } from './admin-listener.js';
import { type Answering, createAnswering } from './answering.js';
import { openEvidenceKey } from './evidence.js';
import { type FirstCalls, firstCallsOf } from './first-calls.js';
import { type Listeners, openListeners } from './listeners.js';
import { createOwnCertificates } from './own-certificates.js';
import { type OnRecorded, openRecording, type Recording } from './recording.js';
import { type Change, createReload, type ReloadParts } from './reload.js';
import { openResponses } from './revocation.js';
import type { TelemetryStart } from './telemetry.js';
import { createTrustSource } from './trust-source.js';

export interface Sandgate
  extends Pick<Recording, 'store' | 'recorder' | 'fingerprint' | 'clock'>,
    Pick<Answering, 'judge' | 'replay' | 'bank' | 'faults' | 'switches'> {
  readonly urls: Urls;
  /** Several processes that listen together have their operators answered by the first one, at this address. */
  readonly knowAdmin: (url: string) => void;
  /** The session of calls that name none, as the gateway started. */
  readonly session: string;
  readonly certificates: Certificates;
  readonly ledger: LedgerState;
  readonly feed: Feed;
  /** `dir`: the folder of certificates, as the lines name it. */
  readonly firstCalls: (dir: string, requestId: string) => FirstCalls;
  /** Ends connections of TPPs on which no call is under way, as a bank does that starts again. */
  readonly closeIdle: () => void;
  /** Resolves when nothing that follows answers is waiting or under way: notifications, and what the shadow compares. */
  readonly notificationsDone: () => Promise<void>;
  /** Reads certificates, lists, rules and routes again; rejects with a SandgateError where nothing changes. Open connections go on. */
  readonly reload: () => Promise<readonly Change[]>;
  readonly metrics: () => Promise<readonly object[]>;
  /** Stops accepting, lets running calls finish, drains the recorder, closes the store. May be called twice. */
  readonly close: () => Promise<void>;
}

export interface StartOptions {
  readonly onProgress?: (text: string) => void;
  /** Used as they are, instead of those of the folder that the settings name. */
  readonly certificates?: Certificates;
  readonly version?: string;
  readonly onRecorded?: OnRecorded;
  /** The built program that keeps an index of the store; sessions are searched without one where absent. */
  readonly indexThread?: URL;
  /** How the caller records what a replay misses; as the commands do, where absent. */
  readonly howToRecord?: HowToRecord;
  readonly member?: Member;
  /** Without them a reload leaves settings as they are. */
  readonly settings?: ReloadParts['settings'];
}

export interface Member {
  /** See `Store.serve`. */
  readonly slot: number;
  /** Where they listen together, the first of them (0) answers to operators for all; what `Sandgate.metrics` of the others gives. */
  readonly metricsOfOthers?: () => Promise<readonly (readonly object[])[]>;
  /** Has the others do so too, once an operator has had this one read everything again. */
  readonly reloaded?: () => void;
}

export async function startSandgate(
  settings: Config,
  system: SystemParts,
  options: StartOptions = {},
): Promise<Sandgate> {
  const config = await withOwnRules(settings, {
    isLive: true,
    onOff: (line) => system.log.warn({}, line),
  });
  const now = system.clock();
  const certificates = createOwnCertificates(
    options.certificates ??
      (await ensureCertificates(config.certs, now, options.onProgress, configuredTime(config, now))),
    system.clock,
  );
  const responses = openResponses(config, system, (verdict) => recording.metrics.ocspAnswered(verdict));
  const trust = createTrustSource(config, responses, system);
  const sign = await openEvidenceKey(config, certificates.now().dir, system);
  const { member } = options;
  const recording = await openRecording(config, system, { sign, ...options, ...member });
  let known: Urls = { api: '', psu: '', admin: '' };
  const urls = () => known;
  const bankOrigins = new Set<string>();
  let lookup = openLookup(recording.store, null);
  const underWay = new Set<string>();
  let answering: Answering | null = null;
  let listening: Listeners | null = null;
  try {
    answering = await createAnswering(config, system, recording, urls, bankOrigins, options.howToRecord);
    const listeners = await openListeners({
      config,
      system,
      recording,
      answering,
      trust: trust.trust,
      responses,
      certificates: certificates.now,
      reload: () => reload(),
      urls,
      version: options.version ?? '0',
      lookup: withoutUnderWay(
        () => lookup,
        config.upstreamLimits,
        underWay,
        recording.isShared,
        system.clock,
      ),
      underWay,
      hasAdmin: member?.metricsOfOthers === undefined || member.slot === 0,
    });
    listening = listeners;
    known = listeners.urls;
    bankOrigins.add(known.api).add(known.psu);
    const made = answering;
    const { notifier, judge, replay, shadow } = made;
    const { sessions, store, recorder, worlds, fingerprint, clock } = recording;
    const own = createReload({
      ...{ config: settings, log: system.log, settings: options.settings },
      prepare: [certificates.prepare(listeners.renew), trust.prepare, ...made.prepare],
    });
    const reload = async () => {
      const changes = await own();
      options.member?.reloaded?.();
      return changes;
    };
    await recording.listeners.begin(listeners.bound);
    await sessions.begin(() => knownUrls(known));
    made.begin();
    const holders = { certificates: certificates.now, trust: trust.trust, answering: made };
    recording.telemetry.begin(telemetryStart(recording, holders, system.clock, member?.slot));
    const session = sessions.current();
    const retention = startRetention(config, recording, system);
    // Only then: until calls are answered, the processors are wanted for that.
    const indexing = setImmediate(() => {
      lookup = openLookup(store, indexThreadOf(config, store, system, options.indexThread));
    });
    system.log.info({ ...known, session, store: storeName(config.store) }, 'The gateway is ready.');
    return {
      urls: known,
      knowAdmin: (admin) => {
        known = { ...known, admin };
      },
      session,
      clock,
      get certificates() {
        return certificates.now();
      },
      store,
      recorder,
      judge,
      fingerprint,
      replay,
      bank: made.bank,
      faults: made.faults,
      switches: made.switches,
      feed: recording.feed,
      firstCalls: (...named) => firstCallsOf({ config, answering: made, urls }, ...named),
      get ledger() {
        return worlds.common.ledger;
      },
      closeIdle: listeners.closeIdle,
      metrics: recording.metrics.own,
      notificationsDone: async () => {
        await notifier.idle();
        await shadow?.idle();
      },
      reload: own,
      close: once(async () => {
        clearImmediate(indexing);
        await retention.close();
        // In the order of a call's way: nothing is closed before what still may hand something on to it.
        await listeners.close(config.limits.stop);
        responses?.close();
        // Where the store fails, whoever takes this gateway's slot next puts right what is left of it.
        await Promise.resolve(recording.listeners.end()).catch(() => undefined);
        const unused = made.faults.unused();
        if (unused.length > 0) system.log.warn({ faults: unused }, 'These faults have met no call.');
        await lookup.close();
        await made.close();
        await closeRecording(recording);
        made.ownRules()?.close();
        system.log.info({}, 'The gateway has stopped.');
      }),
    };
  } catch (error) {
    await listening?.close(0);
    responses?.close();
    await answering?.close();
    await closeRecording(recording);
    throw error;
  }
}

const telemetryStart = (
  { store, recorder, sessions }: Recording,
  parts: Parameters<typeof configuredEntries>[0],
  clock: () => number,
  slot = 0,
): TelemetryStart => ({
  ...{ store, trust: parts.trust },
  // Workers have the same ones: the first tells.
  configured: () => (slot === 0 ? configuredEntries(parts) : []),
  note: (told) => recorder.note(sessions.current(), { at: clock(), kind: 'told', settings: told }),
});

function indexThreadOf(
  { index, storeKeyFile: keyFile }: Config,
  { place: { file: path } }: Store,
  { log }: SystemParts,
  program?: URL,
): IndexThread | null {
  if (program === undefined || path === null || index === 'off') return null;
  const onProblem = (problem: string | null) =>
    problem === null
      ? log.info({}, 'Sessions are searched by their index again.')
      : log.warn({ problem }, 'There is no index of the store; sessions are searched without it.');
  return { program, path, keyFile, onProblem };
}

async function closeRecording(recording: Recording): Promise<void> {
  const { recorder, store, storeLog, room, sessions, worlds, witness, telemetry } = recording;
  worlds.close();
  sessions.end();
  await recorder.drain();
  await telemetry.close();
  await witness?.close();
  recorder.close();
  storeLog.close();
  room.close();
  await store.close();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/**
 * What a look-up finds, without calls that may still end: those of this process that are under way, and those of other gateways
 * for as long as a call without a stream lasts. `clock` in epoch ms.
 */
function withoutUnderWay(
  lookup: () => Lookup,
  { queue, whole }: Config['upstreamLimits'],
  underWay: ReadonlySet<string>,
  isShared: boolean,
  clock: () => number,
): Omit<Lookup, 'close'> {
  const isLate = (id: string): boolean => (timeOfId(id) ?? 0) + queue + whole <= clock();
  /** No gateway knows what is under way at another one. */
  const hasNoEnd = (id: string): boolean => !underWay.has(id) && (!isShared || isLate(id));
  return {
    search: async (session, tree, options) => {
      const found = await lookup().search(session, tree, options);
      if (found.unfinished.length === 0) return found;
      const hidden = new Set(found.unfinished.filter((id) => !hasNoEnd(id)));
      return { ...found, exchanges: found.exchanges.filter((id) => !hidden.has(id)) };
    },
    unfinished: async (session) => (await lookup().unfinished(session)).filter(hasNoEnd),
    past: (...asked) => lookup().past(...asked),
  };
}
