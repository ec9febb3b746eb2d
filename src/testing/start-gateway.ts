/** A gateway inside the test's own process: real mutual TLS on free ports, a store in memory, a clock that can be moved. */

import type { HowToRecord, Replay } from '../answer/index.js';
import {
  type Config,
  nodeFault,
  type Sandgate,
  startSandgate,
  systemParts,
  type TestCertificateName,
  type Urls,
} from '../app/index.js';
import type { RecordedExchange } from '../store/index.js';
import { type AuthoriseOptions, type AuthoriseResult, authorise } from './authorise.js';
import { type GatewayOptions, gatewayConfig } from './gateway-options.js';
import { parametersOf } from './given-link.js';
import { watchMisses } from './misses.js';
import { createRecordedSteps } from './recorded-steps.js';
import { openSession, type Session } from './session.js';
import { type TestBank, testBankOf } from './test-bank.js';
import {
  type AgentOptions,
  agentOptions,
  openTestCertificates,
  type TestCertificates,
} from './test-certificates.js';
import { momentOf, type TestClock, testClockOf } from './test-clock.js';
import { createTestTpp, type TestTpp } from './test-tpp.js';

export interface Gateway {
  /** Where the listeners are: `api` for the TPP, `psu` for the browser, `admin`. */
  readonly urls: Urls;
  readonly certificates: TestCertificates;
  /** Options for `new Agent(…)` of undici or node:https; `tpp` by default, null for no client certificate. */
  readonly agent: (certificate?: TestCertificateName | null) => AgentOptions;
  /**
   * Walks an SCA without a browser: from a scaOAuth link or an authorize address to the redirect that the TPP gets.
   * What the link does not say follows from the call that gave it; state and PKCE are made.
   * A discovery link is read with the certificate `tpp`, unless another is named.
   */
  readonly authorise: (
    link: string | URL,
    options?: AuthoriseOptions,
    certificate?: TestCertificateName,
  ) => Promise<AuthoriseResult>;
  /** A client that calls this gateway with a certificate, `tpp` by default. */
  readonly tpp: (certificate?: TestCertificateName) => TestTpp;
  readonly clock: TestClock;
  /** The living bank: looked at and steered. */
  readonly bank: TestBank;
  /** What was recorded so far; after `close()` what was recorded in all. */
  readonly session: () => Session;
  /** Resolves when no notification is waiting or under way; its exchange is in the session then. */
  readonly settled: () => Promise<void>;
  /** May be called twice. */
  readonly close: () => Promise<void>;
}

/** A gateway, and what it is made of. */
export interface OpenedGateway {
  readonly gateway: Gateway;
  readonly app: Sandgate;
  readonly config: Config;
  /** What its session holds so far, in the order of recording. */
  readonly read: () => readonly RecordedExchange[];
}

/**
 * Starts a gateway. Each has its own ports, store, ledger and clock, so any number may run side by side.
 * @throws SandgateError for options that cannot be meant
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  return (await openGateway(options, null)).gateway;
}

/** `recordsTo`: the cassette that is to be written. */
export async function openGateway(
  options: GatewayOptions,
  recordsTo: string | null,
  howToRecord?: HowToRecord,
): Promise<OpenedGateway> {
  const fault = nodeFault(process.versions);
  if (fault !== undefined) throw new Error(fault);
  const { startAt, certs, log = toStandardError } = options;
  const { clock: machine } = systemParts('silent', log);
  const start = startAt === undefined ? undefined : momentOf(startAt);
  const { ofGateway, pem } = await openTestCertificates(machine(), certs, start);
  const configured = gatewayConfig(options, ofGateway.dir);
  // In front of a bank too: that of a test may well keep the time of the test.
  const config: Config =
    start === undefined ? configured : { ...configured, clock: { kind: 'at', at: start } };
  const system = systemParts(config.logLevel, log);
  const recorded: RecordedExchange[] = [];
  const withSteps = createRecordedSteps();
  const app = await startSandgate(config, system, {
    certificates: ofGateway,
    // A test looks at its session at once, wherever the store is.
    onRecorded: (batch) => recorded.push(...withSteps(batch)),
    ...(howToRecord === undefined ? {} : { howToRecord }),
  });
  const { replay } = app;
  const endWatch = replay === null ? undefined : watchMisses(() => missesOf(replay));
  const read = () => recorded.filter(({ exchange }) => exchange.call.session === app.session);
  const view = () =>
    openSession({
      name: app.session,
      records: read(),
      judge: app.judge,
      overrides: config.rules ?? {},
      replay: app.replay?.report() ?? null,
      recordsTo,
    });
  let final: Session | undefined;
  let closed: Promise<void> | undefined;
  const close = async () => {
    await app.recorder.drain();
    final = view();
    endWatch?.();
    await app.close();
  };
  const gateway: Gateway = {
    urls: app.urls,
    certificates: pem,
    agent: (name = 'tpp') => agentOptions(pem, name),
    authorise: async (link, walked = {}, name = 'tpp') => {
      await app.recorder.drain();
      const exchanges = read().map(({ exchange }) => exchange);
      return authorise(link, walked, {
        agent: agentOptions(pem, name),
        given: parametersOf(String(link), exchanges),
        random: () => Buffer.from(system.chance.bytes(32)).toString('base64url'),
      });
    },
    tpp: (name = 'tpp') =>
      createTestTpp({
        uuid: system.chance.uuid,
        api: `${app.urls.api}/${config.segment}/v1`,
        agent: agentOptions(pem, name),
      }),
    clock: testClockOf(app.clock),
    bank: testBankOf(app.bank.common),
    session: () => final ?? view(),
    settled: async () => {
      await app.notificationsDone();
      await app.recorder.drain();
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
  return { gateway, app, config, read };
}

/** Without those that another source of the chain was asked instead. */
const missesOf = (replay: Replay) => replay.report().missed.filter(({ handedOn }) => !handedOn);

function toStandardError(line: string): void {
  process.stderr.write(line);
}
