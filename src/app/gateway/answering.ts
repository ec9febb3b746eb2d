/** The part of the gateway that judges calls and answers them. */
import { hash } from 'node:crypto';
import type { BankPort, ClockPort } from '../../admin/index.js';
import {
  type Answerer,
  createLinks,
  createNotifier,
  type Emulator,
  type HowToRecord,
  type Notifier,
  type Replay,
} from '../../answer/index.js';
import type { Population } from '../../bank/index.js';
import type { Exchange } from '../../exchange/index.js';
import { createProof, type Judge, type Waiver } from '../../rules/index.js';
import { dateAt, SandgateError } from '../../spec/index.js';
import { StoreMoved } from '../../store/index.js';
import {
  type BankNotices,
  createBankNotices,
  createRemember,
  openBankPort,
  openPopulation,
  type Remember,
  worldOf,
} from '../bank/index.js';
import { createClockSettings } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import { allSourcesOf } from '../config/values.js';
import { judgeBy, judgingOf } from '../report/judging.js';
import { errorFacts } from '../system/log.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import { createConfiguredEmulator, linksParts } from './configured-emulator.js';
import type { Recording } from './recording.js';
import type { ConfiguredReplayParts, OpenReplay } from './replay-source.js';
import { createShadow, type Shadow } from './shadow.js';
import { createSources, type Sources } from './sources.js';
import { createSwitchedJudge } from './switched-judge.js';
import { createSwitches, type Positions, type Switches } from './switches.js';
import { type ConfiguredUpstream, openUpstream } from './upstream-source.js';
import { createWaivers, type Waivers } from './waivers.js';

/** Loaded where a recording answers: most gateways have none, and what reads files takes a while to load. */
async function openReplay(parts: ConfiguredReplayParts): Promise<OpenReplay> {
  const { loadReplay } = await import('./replay-source.js');
  return loadReplay(parts);
}

export interface Answering {
  readonly judge: Judge;
  readonly answerer: Answerer;
  readonly notifier: Notifier;
  /** null where no recording answers. */
  readonly replay: Replay | null;
  /** null where no bank is configured. */
  readonly upstream: ConfiguredUpstream | null;
  /** null where the emulator is not asked besides. */
  readonly shadow: Shadow | null;
  readonly switches: Switches;
  readonly waivers: Waivers;
  readonly clockSettings: ClockPort;
  /** What an operator sees of the living bank, and does to it. */
  readonly bank: BankPort;
  /** Who is asked first for an operation. */
  readonly firstFor: Sources['firstFor'];
  /** The gateway listens: what is to be told without a call is told from now on. */
  readonly begin: () => void;
  /** Ends what is on its way to others; notifications last. */
  readonly close: () => Promise<void>;
}

/** `urls` is asked once the listeners listen; `bankOrigins` is filled then. */
export async function createAnswering(
  config: Config,
  parts: SystemParts,
  recording: Recording,
  urls: () => Urls,
  bankOrigins: Set<string>,
  howToRecord?: HowToRecord,
): Promise<Answering> {
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
  });
  const switches = createSwitches({
    start: config,
    problemOf: (source) =>
      sources.problemOf(source) ??
      (clock.state().mode !== 'real' && asksBank(source)
        ? new SandgateError('switch.moved-clock', {})
        : null),
    share: (apply) => recording.headers.share(recording.worlds.common, apply),
    onChange: (changed) => {
      sessions.changed(changed);
      parts.log.info(changed, 'Switched.');
    },
  });
  recording.headers.add('settings', {
    under: digestOf(switches.current()),
    read: switches.current,
    adopt: (settings) => {
      switches.adopt(settings as Positions);
      sessions.knows(settings as Positions);
    },
  });
  const asksBank = (source: string) => allSourcesOf({ source, sources: config.sources }).has('upstream');
  const clockSettings = createClockSettings({
    clockOf: async (session) => (await worldOf(recording.worlds, session)).clock,
    share: async (session, apply) => recording.headers.share(await worldOf(recording.worlds, session), apply),
    asksBank: () => asksBank(switches.current().source),
  });
  // Waivers that have ended are a mistake at the start, and none afterwards.
  const today = dateAt(clock.now());
  const profile = () => switches.current().profile;
  const waivers = createWaivers({
    start: config.waivers ?? [],
    today: () => dateAt(clock.now()),
    share: (apply) => recording.headers.share(recording.worlds.common, apply),
    renew: () => judge.renew(),
    onAdded: (all) => {
      sessions.changed({ waivers: all });
      parts.log.info({ waivers: all.length }, 'A finding is let pass.');
    },
  });
  const population = openPopulation(config);
  const addresses = linksParts(config, urls, switches.current);
  const openEmulator = () =>
    createConfiguredEmulator({
      config,
      parts,
      recording,
      addresses,
      notifier,
      population,
      switches: switches.current,
    });
  const remember = createRemember(recording.recorder, recording.storeLog.onUnrecorded);
  const bank = openBankPort({
    worlds: recording.worlds,
    recorder: recording.recorder,
    headers: recording.headers,
    population,
    links: createLinks(addresses),
    remember,
    sessions: sessions.meeting,
    clock: parts.clock,
    bank: () => switches.current().bank,
  });
  const judge = createSwitchedJudge((wanted) => {
    const settings = { ...config, profile: wanted, waivers: [...waivers.current()] };
    const judging = judgingOf(settings, { origins: bankOrigins, foreign: false });
    const { hostAllowed: notificationHostAllowed } = notifier;
    return judgeBy(judging, recording.fingerprint, today, { notificationHostAllowed, bankOrigins });
  }, profile);
  recording.headers.add('waivers', {
    under: digestOf(config.waivers),
    read: waivers.current,
    adopt: (all) => {
      waivers.adopt(all as readonly Waiver[]);
      sessions.knows({ waivers: all as readonly Waiver[] });
    },
  });
  const proof = createProof({ options: judge.options, fingerprint: recording.fingerprint });
  const upstream = await openUpstream(config, parts, urls, proof, sessions);
  for (const origin of upstream?.origins ?? []) bankOrigins.add(origin);
  const sources = createSources({
    config,
    upstream,
    source: () => switches.current().source,
    openEmulator,
    openReplay: allSourcesOf(config).has('replay')
      ? await openReplay({ config, system: parts, recording, urls, howToRecord })
      : null,
  });
  const { answerer, replay, firstFor } = sources;
  const notices = openBankNotices(config, parts, recording, {
    notify: notifier.notify,
    population,
    remember,
  });
  const shadow = config.shadow === undefined ? null : openShadow(openEmulator(), parts, recording);
  return {
    judge,
    answerer,
    notifier,
    replay,
    upstream,
    shadow,
    switches,
    waivers,
    clockSettings,
    bank,
    firstFor,
    begin: () => notices?.begin(),
    close: async () => {
      notices?.close();
      await shadow?.close();
      await sources.close();
      await notifier.close();
    },
  };
}

/** null where no payment is notified of: nothing is looked at. */
function openBankNotices(
  config: Config,
  { timer, clock }: SystemParts,
  { worlds, recorder, onKept }: Recording,
  parts: { notify: Notifier['notify']; population: Population; remember: Remember },
): BankNotices | null {
  if (config.bankNotify !== 'all') return null;
  const notices = createBankNotices({ ...parts, worlds, recorder, timer, clock });
  onKept(notices.kept);
  return notices;
}

function openShadow(emulator: Emulator, parts: SystemParts, { worlds, recorder }: Recording): Shadow {
  return createShadow({ emulator, worlds, note: recorder.note, clock: parts.clock, log: parts.log });
}

/** Of settings, as they are configured. */
const digestOf = (settings: unknown): string => hash('sha256', JSON.stringify(settings) ?? '', 'base64url');

/** So often it is judged anew, because other gateways moved on what it rests on. */
const MOST_JUDGINGS = 20;

/** A notification is an exchange like any other. */
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
      if (!(error instanceof StoreMoved) || judgings === MOST_JUDGINGS) return storeLog.onUnrecorded();
    }
  }
}
