/** Who answers: opens each configured source once, chains them, and chooses by operation. */
import {
  type Answerer,
  bankPageAt,
  createDeviations,
  createEmulator,
  createLivingBank,
  createRoute,
  type Emulator,
  type EmulatorParts,
  firstOf,
  type LinksParts,
  type Notifier,
  type Replay,
  readSandboxData,
} from '../../answer/index.js';
import type { LivingPopulation } from '../../bank/index.js';
import { type Call, createRecentCache } from '../../exchange/index.js';
import { type SandboxData, SandgateError } from '../../spec/index.js';
import { BUILT_IN_DATA } from '../built.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { allSourcesOf, type SourceName, sourcesOf } from '../config/values.js';
import type { SystemParts } from '../system/system-parts.js';
import { isAdminShown, type Urls } from './addresses.js';
import type { OpenReplay } from './replay-source.js';
import type { Switches } from './switches.js';
import { createTokens } from './tokens.js';
import type { ConfiguredUpstream } from './upstream-source.js';

interface SourcesParts {
  readonly config: Pick<Config, 'source' | 'sources' | 'segment' | 'bankProfile' | 'keepTokens'>;
  /** The chain that is in force; it may change. */
  readonly source: () => string;
  readonly openEmulator: () => Answerer;
  readonly openReplay: OpenReplay | null;
  readonly upstream: ConfiguredUpstream | null;
}

export function createSources(parts: SourcesParts) {
  const { config, upstream } = parts;
  const dialect = dialectIn(config);
  const opened = new Map<SourceName, Answerer>();
  const chains = new Map<string, Answerer>();
  let sourceFor = createRoute(config.sources ?? {}, parts.source);
  const replays: Replay[] = [];

  const open: Readonly<Record<SourceName, () => Answerer>> = {
    emulator: parts.openEmulator,
    upstream: () => {
      if (upstream === null) throw new TypeError('no bank is configured');
      return upstream.answerer;
    },
    replay: () => {
      if (parts.openReplay === null) throw new TypeError('no recording is configured');
      const replay = parts.openReplay(
        ({ operation }) => sourcesOf({ source: sourceFor(operation) }).at(-1) !== 'replay',
      );
      replays.push(replay);
      return replay;
    },
  };
  const chainOf = (source: string): Answerer => remembered(chains, source, () => firstOf(linksOf(source)));
  const linksOf = (source: string) =>
    sourcesOf({ source }).map((name) => remembered(opened, name, open[name])) as [Answerer, ...Answerer[]];
  // A form of the bank's pages goes to whoever has shown the page.
  const operationOf = ({ operation, listener, request }: Call): Call['operation'] =>
    operation === null && listener === 'psu' && bankPageAt(dialect, request.method, request.path) !== null
      ? 'oauth.authorize'
      : operation;
  const answererOf = (call: Call): Answerer => chainOf(sourceFor(operationOf(call)));

  // Whatever cannot be opened is told before the gateway listens.
  for (const source of [parts.source(), ...Object.values(config.sources ?? {})]) chainOf(source);
  const tokens = createTokens(config, dialect);
  const askSource: Answerer['answer'] = (call, context) => answererOf(call).answer(call, context);
  const answerer: Answerer = {
    get name() {
      return chainOf(parts.source()).name;
    },
    answer: tokens.hearing(askSource),
    refusalOf: (call, context) => answererOf(call).refusalOf?.(call, context) ?? context.refusal,
    changesOfRefused: (call, context) => answererOf(call).changesOfRefused?.(call, context) ?? [],
    takesUnread: (call) => answererOf(call).takesUnread?.(call) === true,
    refusesStrangers: (call) => answererOf(call).refusesStrangers?.(call) === true,
    knowsMore: (call) => answererOf(call).knowsMore?.(call) === true,
  };
  return {
    replay: replays[0] ?? null,
    tokens,
    answerer,
    firstFor: (operation: Call['operation']): SourceName =>
      sourcesOf({ source: sourceFor(operation) })[0] ?? 'emulator',
    /** Why a chain cannot be switched to; null where it can. */
    problemOf: (source: string): SandgateError | null => problemOf(source, config, upstream !== null),
    /** Other sources for single operations. Throws a SandgateError where one of them cannot be asked. */
    prepare: ({ sources = {} }: Pick<Config, 'sources'>): (() => void) => {
      for (const source of Object.values(sources)) {
        const problem = problemOf(source, config, upstream !== null);
        if (problem !== null) throw problem;
        chainOf(source);
      }
      const next = createRoute(sources, parts.source);
      return () => {
        sourceFor = next;
      };
    },
    close: async (): Promise<void> => {
      await Promise.all([...opened.values()].map((answerer) => answerer.close?.()));
      await upstream?.close();
    },
  };
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

function problemOf(source: string, config: SourcesParts['config'], hasBank: boolean): SandgateError | null {
  const names = new Set(sourcesOf({ source }));
  if (names.has('upstream') && !hasBank) return new SandgateError('switch.no-bank', {});
  if (names.has('replay') !== allSourcesOf(config).has('replay'))
    return new SandgateError('switch.replay', {});
  return null;
}

const TOKEN_BYTES = 48;

/** §Versioning 3: the discovery link is the sandbox's, and not yet production's. */
export function linksParts(config: Config, urls: () => Urls, current: Switches['current']): LinksParts {
  return {
    // Each link of an answer asks: usually nothing is made anew for it.
    urls: () => {
      const known = urls();
      return isAdminShown(config.adminListen, known) ? known : { api: known.api, psu: known.psu };
    },
    dialect: dialectIn(config),
    scaLink: () => {
      const { scaLink, profile } = current();
      if (scaLink !== 'by-profile') return scaLink;
      return profile === 'production' ? 'direct' : 'discovery';
    },
  };
}

/** Calls of which it is known that their notification was taken: those that are answered anew follow soon. */
const CALLS = 1_000;

function onceForCall(notify: Notifier['notify']): EmulatorParts['onNotification'] {
  const taken = createRecentCache<string, true>(CALLS);
  return (notification, call) => {
    if (taken.get(call) === true) return null;
    const refusal = notify(notification);
    if (refusal === null) taken.set(call, true);
    return refusal;
  };
}

/** The bank that is in force; both are there from the start, since it may be switched. */
export function createConfiguredEmulator(
  config: Config,
  {
    chance,
    fingerprint,
    addresses,
    notifier,
    population,
    switches,
  }: Pick<SystemParts, 'chance'> &
    Pick<EmulatorParts, 'fingerprint'> & {
      readonly addresses: LinksParts;
      readonly notifier: Notifier;
      readonly population: LivingPopulation;
      readonly switches: Switches['current'];
    },
): Emulator {
  const shared: EmulatorParts = {
    data: sandboxDataOf(config),
    ...addresses,
    ids: { token: () => Buffer.from(chance.bytes(TOKEN_BYTES)).toString('hex'), authorisation: chance.uuid },
    fingerprint,
    onNotification: onceForCall(notifier.notify),
  };
  const sandbox = createEmulator(shared);
  const living = createLivingBank({
    ...shared,
    sandbox,
    population,
    notifies: (uri) => config.bankNotify === 'all' && notifier.takes(uri),
    scaLinkMs: config.bankScaTime,
  });
  const banks = { sandbox, living };
  const deviate = createDeviations(config.bankProfile, () => addresses.urls().api);
  const askChosenBank: Emulator['answer'] = (call, context) => {
    const answered = banks[switches().bank].answer(call, context);
    const answer = deviate(call, answered.answer);
    return answer === answered.answer ? answered : { ...answered, answer };
  };
  return { ...living, answer: askChosenBank };
}

export const sandboxDataOf = ({ data }: Pick<Config, 'data'>): SandboxData =>
  readSandboxData(data ?? BUILT_IN_DATA);
