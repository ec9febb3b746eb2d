/** The part of the gateway that judges calls and answers them. */
import { fileURLToPath } from 'node:url';
import {
  type Answerer,
  createEmulator,
  createNotifier,
  type Notifier,
  readSandboxData,
} from '../answer/index.js';
import type { Exchange } from '../exchange/index.js';
import { createJudge, type Judge, RULES } from '../rules/index.js';
import type { Urls } from './addresses.js';
import type { Config } from './config.js';
import { errorFacts } from './log.js';
import type { Recording } from './recording.js';
import type { SystemParts } from './system-parts.js';

export interface Answering {
  readonly judge: Judge;
  readonly answerer: Answerer;
  readonly notifier: Notifier;
}

/** Beside `src` and `dist`. */
const BUILT_IN_DATA = fileURLToPath(new URL('../../data/sandbox', import.meta.url));
const TOKEN_BYTES = 48;

/** `urls` is asked once the listeners listen; `bankOrigins` is filled then. */
export function createAnswering(
  config: Config,
  parts: SystemParts,
  recording: Recording,
  urls: () => Urls,
  bankOrigins: ReadonlySet<string>,
): Answering {
  const { fingerprint, nextId, sessions } = recording;
  const notifier = createNotifier({
    allow: config.notificationAllow,
    clock: parts.clock,
    timer: parts.timer,
    nextId,
    session: sessions.current,
    record: (exchange) => recordCallback(exchange, judge, recording, parts),
    onError: (error) => parts.log.error(errorFacts(error), 'A callback went wrong.'),
  });
  const judge = createJudge({
    rules: RULES,
    fingerprint,
    overrides: config.rules ?? {},
    waivers: config.waivers ?? [],
    today: new Date(parts.clock()).toISOString().slice(0, 10),
    options: {
      profile: config.profile,
      dailyWindow:
        config.dailyWindow === 'rolling'
          ? { kind: 'rolling' }
          : { kind: 'calendar-day', timeZone: config.dailyTimeZone },
      blockedOrganisations: new Set(config.blockedOrganisations ?? []),
      notificationHostAllowed: notifier.hostAllowed,
      bankOrigins,
      segment: config.segment,
    },
  });
  const answerer = createEmulator({
    data: readSandboxData(config.data ?? BUILT_IN_DATA),
    urls,
    scaLink: config.scaLink,
    segment: config.segment,
    ids: { token: () => Buffer.from(parts.chance.bytes(TOKEN_BYTES)).toString('hex') },
    fingerprint,
    onCallback: notifier.notify,
  });
  return { judge, answerer, notifier };
}

/** A callback is an exchange like any other; nobody waits for it to be recorded. */
function recordCallback(
  exchange: Exchange,
  judge: Judge,
  { ledger, recorder }: Recording,
  { log }: SystemParts,
): void {
  recorder
    .take(exchange, judge.judgeExchange(exchange, ledger), [])
    .catch((error) => log.error(errorFacts(error), 'A callback could not be recorded.'));
}
