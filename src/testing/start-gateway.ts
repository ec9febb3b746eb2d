/** A gateway inside the test's own process: real mutual TLS on free ports, a store in memory, a clock that can be moved. */
import type { HowToRecord, Replay } from '../answer/index.js';
import {
  CONFIG_OPTIONS,
  type Config,
  loadConfig,
  nodeFault,
  type Sandgate,
  startSandgate,
  systemParts,
} from '../app/index.js';
import { type Exchange, isStep, type SessionNote, type StepNote } from '../exchange/index.js';
import {
  effectiveSeverity,
  type Finding,
  type Judge,
  RULES,
  type SeverityOverrides,
} from '../rules/index.js';
import { SandgateError, slipOf } from '../spec/index.js';
import { type Batch, isInMemory, type RecordedExchange } from '../store/index.js';
import { authorise, parametersOf } from './authorise.js';
import { watchMisses } from './misses.js';
import type { Session, SessionExchange, SessionFinding } from './session-types.js';
import { testBankOf } from './test-bank.js';
import { agentOptions, openTestCertificates } from './test-certificates.js';
import { momentOf, testClockOf } from './test-clock.js';
import { testFaultsOf } from './test-faults.js';
import { createTestTpp } from './test-tpp.js';
import type { Gateway, GatewayOptions } from './types.js';

export interface OpenedGateway {
  readonly gateway: Gateway;
  readonly app: Sandgate;
  readonly config: Config;
  /** The session so far, in the order of recording. */
  readonly read: () => readonly RecordedExchange[];
}

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
    openSession(read(), app.judge, config.rules ?? {}, {
      name: app.session,
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
        // A store in memory is gone before anybody makes a report of it.
        saysWhere: !isInMemory(config.store),
      }),
    clock: testClockOf(app.clock),
    faults: testFaultsOf(app.faults),
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

/** Settings of a test's gateway: free ports, and nothing that outlives it. */
export const OF_TESTS = {
  listen: '127.0.0.1:0',
  psuListen: '127.0.0.1:0',
  adminListen: '127.0.0.1:0',
  store: ':memory:',
  session: 'test',
  logLevel: 'error',
} as const;

/** Neither variables nor sandgate.config.json count: a test says itself what it stands on. */
function gatewayConfig(options: GatewayOptions, certs: string): Config {
  const { startAt: _startAt, log: _log, settings = {}, source = sourceOf(options), ...rest } = options;
  const flags = { ...OF_TESTS, ...settings, ...rest, source, certs };
  const known = CONFIG_OPTIONS.map(({ key }) => key);
  for (const key of Object.keys(flags))
    if (!known.includes(key))
      throw new SandgateError('testing.unknown-setting', { key, nearest: slipOf(key, known) });
  return loadConfig({ flags, file: null }).config;
}

function sourceOf({ replay, upstream }: GatewayOptions): string | undefined {
  if (replay !== undefined) return 'replay';
  return upstream === undefined ? undefined : 'upstream';
}

function openSession(
  records: Iterable<RecordedExchange>,
  judge: Judge,
  overrides: SeverityOverrides,
  rest: Pick<Session, 'name' | 'replay' | 'recordsTo'>,
): Session {
  const exchanges: SessionExchange[] = [];
  const findings: SessionFinding[] = [];
  for (const { exchange, verdicts, findings: found } of records) {
    exchanges.push({ ...exchange, verdicts, findings: found });
    for (const finding of found) findings.push(locate(finding, exchange));
  }
  const { profile, dialect } = judge.options;
  const switchedOff = RULES.filter(
    (rule) => effectiveSeverity(rule, profile, overrides, dialect.profile) === 'off',
  );
  return { ...rest, exchanges, findings, switchedOff: switchedOff.map(({ id }) => id) };
}

function locate(finding: Finding, { call, answer }: Exchange): SessionFinding {
  return {
    ...finding,
    exchange: call.id,
    operation: call.operation,
    method: call.request.method,
    path: call.request.path,
    status: answer?.status ?? null,
  };
}

/** Takes what is kept, a batch at a time, in order. */
function createRecordedSteps(): (batch: Batch) => RecordedExchange[] {
  /** By session: those that nothing followed yet. */
  const waiting = new Map<string, StepNote[]>();
  return ({ notes = [], records }) => {
    const taken: RecordedExchange[] = [];
    const takeUpTo = (place: number): void => {
      for (const record of records.slice(taken.length, place)) {
        const { session } = record.exchange.call;
        const steps = waiting.get(session);
        taken.push(steps === undefined ? record : { ...record, steps });
        waiting.delete(session);
      }
    };
    for (const { session, note, behind } of notes) {
      takeUpTo(behind?.records ?? 0);
      const steps = [note as SessionNote].filter(isStep);
      if (steps.length > 0) waiting.set(session, [...(waiting.get(session) ?? []), ...steps]);
    }
    takeUpTo(records.length);
    return taken;
  };
}
