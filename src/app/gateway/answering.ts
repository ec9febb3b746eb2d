/** The part of the gateway that judges calls and answers them. */
import { isDeepStrictEqual } from 'node:util';
import { createLinks, createNotifier, type HowToRecord } from '../../answer/index.js';
import { closeCall, type Exchange, type Fingerprint } from '../../exchange/index.js';
import type { PipelineParts } from '../../gateway/index.js';
import { createProof, type Judge } from '../../rules/index.js';
import { contextOf } from '../../rules/own/index.js';
import { SandgateError } from '../../spec/index.js';
import { StoreMoved } from '../../store/index.js';
import { createBankNotices, createRemember, openBankPort, openPopulation, worldOf } from '../bank/index.js';
import { createClockSettings } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import { allSourcesOf } from '../config/values.js';
import { errorFacts, type SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import { createFaults } from './faults.js';
import type { Recording } from './recording.js';
import type { Prepare } from './reload.js';
import { createShadow } from './shadow.js';
import { createConfiguredEmulator, createSources, linksParts, sandboxDataOf } from './sources.js';
import { createSwitching } from './switching.js';
import { openUpstream } from './upstream-source.js';

export type Answering = Awaited<ReturnType<typeof createAnswering>>;

/** `urls` is asked once the listeners listen; `bankOrigins` is filled then. */
export async function createAnswering(
  config: Config,
  parts: SystemParts,
  recording: Recording,
  urls: () => Urls,
  bankOrigins: Set<string>,
  howToRecord?: HowToRecord,
) {
  const { nextId, sessions, clock } = recording;
  const notifier = createNotifier({
    allow: config.notificationAllow,
    isOurs: recording.listeners.isOne,
    time: clock.time,
    timer: parts.timer,
    nextId,
    session: sessions.current,
    record: (exchange) => recordNotification(exchange, judge, recording),
    onError: (error) => parts.log.error(errorFacts(error), 'A resource status notification failed.'),
    disturb: (call, isFollowed) => faults.disturb(call, isFollowed),
  });
  let routes = config.sources;
  const asksBank = (source: string) => allSourcesOf({ source, sources: routes }).has('upstream');
  const { switches, waivers, judge, rules } = createSwitching(
    config,
    parts,
    recording,
    { notificationHostAllowed: notifier.hostAllowed, bankOrigins },
    ({ source, bank: ofEmulator }) =>
      sources.problemOf(source) ??
      faults.problemWith({ source, bank: ofEmulator }) ??
      (clock.state().mode !== 'real' && asksBank(source)
        ? new SandgateError('switch.moved-clock', {})
        : null),
  );
  const clockSettings = createClockSettings({
    clockOf: async (session) => (await worldOf(recording.worlds, session)).clock,
    share: async (session, apply) => recording.headers.share(apply, await worldOf(recording.worlds, session)),
    asksBank: () => asksBank(switches.current().source),
  });
  const population = openPopulation(config);
  const addresses = linksParts(config, urls, switches.current);
  const openEmulator = () =>
    createConfiguredEmulator(config, {
      chance: parts.chance,
      fingerprint: recording.fingerprint,
      addresses,
      notifier,
      population,
      switches: switches.current,
    });
  const remember = createRemember(recording.recorder, () => recording.storeLog.onUnrecorded());
  const bank = openBankPort({
    ...recording,
    population,
    links: createLinks(addresses),
    remember,
    sessions: sessions.meeting,
    clock: parts.clock,
    bank: () => switches.current().bank,
    data: () => sandboxDataOf(config),
  });
  const faults = createFaults({ ...recording, config, switches, remember, uuid: parts.chance.uuid });
  const proof = createProof({ options: judge.options, fingerprint: recording.fingerprint });
  const upstream = await openUpstream(config, parts, urls, proof, sessions);
  for (const origin of upstream?.origins ?? []) bankOrigins.add(origin);
  const sources = createSources({
    config,
    upstream,
    source: () => switches.current().source,
    openEmulator,
    // Most gateways have no recording, and what reads files takes a while to load.
    openReplay: allSourcesOf(config).has('replay')
      ? await (await import('./replay-source.js')).loadReplay(config, parts, recording, urls, howToRecord)
      : null,
  });
  const { answerer, replay, firstFor, tokens } = sources;
  const notices =
    config.bankNotify === 'all'
      ? createBankNotices({ ...recording, ...parts, notify: notifier.notify, population, remember })
      : null;
  if (notices !== null) recording.onKept(notices.kept);
  const shadow =
    config.shadow === undefined
      ? null
      : createShadow({
          ...parts,
          worlds: recording.worlds,
          note: recording.recorder.note,
          emulator: openEmulator(),
        });
  const prepareRoutes: Prepare = (next) => {
    const commit = sources.prepare(next);
    if (
      clock.state().mode !== 'real' &&
      !asksBank(switches.current().source) &&
      allSourcesOf(next).has('upstream')
    )
      throw new SandgateError('switch.moved-clock', {});
    const isOther = !isDeepStrictEqual(routes ?? {}, next.sources ?? {});
    return {
      changes: isOther ? [{ part: 'routes', says: 'other sources for single operations' }] : [],
      commit: () => {
        commit();
        routes = next.sources;
      },
    };
  };
  return {
    judge,
    askAhead: createAskAhead(rules.loaded, judge, recording.fingerprint),
    ownRules: rules.loaded,
    // Own rules last: once they are loaded in a thread, nothing else may fail.
    prepare: [...(upstream === null ? [] : [upstream.prepare]), prepareRoutes, rules.prepare],
    answerer,
    notifier,
    replay,
    upstream,
    shadow,
    switches,
    waivers,
    clockSettings,
    bank,
    faults,
    ...{ firstFor, tokens },
    /** Once the gateway listens: what is to be told without a call is told from now on. */
    begin: () => notices?.begin(),
    /** Ends what is on its way to others; notifications last. */
    close: async () => {
      notices?.close();
      await shadow?.close();
      await sources.close();
      await notifier.close();
    },
  };
}

const NO_TIME = { total: 0, answerer: 0 } as const;

/** Own rules in a thread see what the judge is about to see. */
const createAskAhead =
  (
    loaded: () => Config['loadedRules'],
    { options, window }: Judge,
    fingerprint: Fingerprint,
  ): NonNullable<PipelineParts['askAhead']> =>
  (scope, call, answer, { ledger }) =>
    loaded()?.askAhead?.(
      contextOf(closeCall(call, answer, NO_TIME), ledger, { options, window, fingerprint }),
      scope,
    );

/** A notification is judged anew when other gateways moved on what it depends on, at most so often. */
const MOST_JUDGINGS = 20;

async function recordNotification(
  exchange: Exchange,
  judge: Judge,
  { worlds, recorder, storeLog }: Recording,
): Promise<void> {
  for (let judgings = 1; ; judgings++) {
    try {
      const { ledger } = worlds.of(exchange.call.session);
      return await recorder.take(exchange, judge.judgeExchange(exchange, ledger), []);
    } catch (error) {
      if (!(error instanceof StoreMoved) || judgings === MOST_JUDGINGS)
        return storeLog.onUnrecorded(exchange.call.session);
    }
  }
}
