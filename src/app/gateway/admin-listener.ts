/** The listener for operators: what its pages and its API may see, and do. */

import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type Admin,
  type LivePort,
  openAdmin,
  type Ports,
  type ReadinessCheck,
  type ResendPort,
  type SessionsPort,
} from '../../admin/index.js';
import { calendarOf, type Trust } from '../../certificate/index.js';
import { listenError, ownCallHeader } from '../../gateway/index.js';
import { budgets } from '../../ledger/index.js';
import type { OcspResponses } from '../../revocation/index.js';
import { dateAt, namedProfile, SandgateError } from '../../spec/index.js';
import { isSessionName, type Lookup, SESSION_NAME_FORM, type Store } from '../../store/index.js';
import { worldOf } from '../bank/index.js';
import { PAGE_FOLDER } from '../built.js';
import { anchorEntries, bankEntries, seenIn, serverEntry, tppEntry } from '../certificates/calendar.js';
import type { Certificates } from '../certificates/ensure.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import type { Sessions } from '../sessions/open-sessions.js';
import { errorFacts, type SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import type { Answering } from './answering.js';
import { mendingOf } from './fill-token.js';
import { firstCallsOf, shownFirstCalls } from './first-calls.js';
import { createOperatorsView } from './headers.js';
import type { Recording } from './recording.js';
import type { Change } from './reload.js';
import { createResend } from './resend.js';
import { certificatesInFolder, certificatesShown, createIssue } from './shown-certificates.js';

export interface ListenersParts {
  readonly config: Config;
  readonly system: SystemParts;
  readonly recording: Recording;
  readonly answering: Answering;
  readonly trust: () => Trust;
  readonly responses: OcspResponses | undefined;
  readonly certificates: () => Certificates;
  readonly reload: () => Promise<readonly Change[]>;
  readonly urls: () => Urls;
  readonly version: string;
  readonly lookup: Omit<Lookup, 'close'>;
  /** Calls that this process sent to a bank, and that have not ended: kept here by those who answer. */
  readonly underWay: Set<string>;
  readonly hasAdmin: boolean;
}

/** `own`: where the listeners for calls are reached, whatever name others reach them by. */
export function openAdminListener(
  parts: ListenersParts,
  own: { readonly api: string; readonly psu: string },
  areListening: () => boolean,
): Promise<Admin> {
  const { config, system, recording } = parts;
  const { host, port } = config.adminListen;
  return openAdmin({
    host,
    port,
    token: config.adminToken,
    connections: config.limits.adminConnections,
    actions: config.actions,
    checks: readinessChecks(parts, areListening),
    ports: adminPorts(parts, own),
    metrics: recording.metrics,
    page: {
      folder: PAGE_FOLDER,
      about: () => ({
        version: parts.version,
        urls: parts.urls(),
        bank: config.upstream?.host ?? null,
        bankProfile: config.bankProfile === undefined ? null : namedProfile(config.bankProfile),
        first: shownFirstCalls(parts, resolve(parts.certificates().dir), system.chance.uuid()),
      }),
    },
    onLoadError: (error) =>
      system.log.error(errorFacts(error), 'The admin listener could not load what answers.'),
    onListenError: (cause) => listenError('--admin-listen', host, port, cause),
  });
}

function readinessChecks(
  { system, recording, certificates }: ListenersParts,
  areListening: () => boolean,
): readonly ReadinessCheck[] {
  return [
    { name: 'store', check: async () => (await recording.recorder.probe())?.message ?? null },
    {
      name: 'certificates',
      check: () => {
        const { validFrom, validTo } = new X509Certificate(certificates().serverPem);
        const now = system.clock();
        return now >= Date.parse(validFrom) && now < Date.parse(validTo)
          ? null
          : 'The server certificate is outside its validity period.';
      },
    },
    {
      name: 'listeners',
      check: () => (areListening() ? null : 'The gateway is stopping, or not yet listening.'),
    },
  ];
}

function adminPorts(parts: ListenersParts, urls: { readonly api: string; readonly psu: string }): Ports {
  const { answering, recording, config, system, certificates, version } = parts;
  const { worlds, store, recorder } = recording;
  const resend = createResend({
    ...{ store, certificates, urls, clock: system.clock, areNamed: config.headers },
    mark: ownCallHeader(store.fingerprintKey),
    dialect: dialectIn(config),
    ...{ tokens: answering.tokens, firstFor: answering.firstFor },
    ledgerOf: (session) => worlds.of(session).ledger,
    canMakeJourney: () => firstCallsOf(parts, '', '').canMakeJourney,
    ofBank: () => answering.upstream?.shown().map(({ fingerprint }) => fingerprint) ?? [],
  });
  const live = livePort(parts, resend);
  const catchUp = createOperatorsView({ store, recorder, common: worlds.common });
  const caughtUp =
    <A extends readonly unknown[], T>(run: (...given: A) => T) =>
    async (...given: A): Promise<Awaited<T>> => {
      await catchUp();
      return await run(...given);
    };
  const { faults } = answering;
  return {
    resend,
    calendar: {
      rows: async () => {
        const now = worlds.common.clock.now();
        const seen = (await seenIn(store)).map((one) => tppEntry(one, parts.trust(), now));
        const { isBoundToCertificate } = dialectIn(config);
        return calendarOf([...configuredEntries(parts), ...seen], now, isBoundToCertificate);
      },
    },
    issue: { now: createIssue(parts) },
    reload: { now: async () => ({ changed: [...(await parts.reload())] }) },
    sessions: sessionsPort(() => withRules(config, answering.ownRules()), recording, system.clock, version),
    evidence: recording.witness === null ? undefined : { sign: recording.witness.now },
    waivers: { ...answering.waivers, current: caughtUp(answering.waivers.current) },
    settings: { ...answering.switches, current: caughtUp(answering.switches.current) },
    clock: answering.clockSettings,
    bank: answering.bank,
    faults: {
      list: caughtUp(faults.list),
      // Another gateway may have taken the id, or have freed it.
      add: caughtUp(faults.add),
      remove: caughtUp(faults.remove),
      clear: faults.clear,
    },
    replay: { recording: answering.replay },
    budgets: {
      current: async (session) => {
        const { ledger, clock } = await worldOf(worlds, session);
        return budgets(ledger, clock.now(), answering.judge.window);
      },
    },
    exchanges: live,
    live,
  };
}

/** Certificates that the settings name. */
export const configuredEntries = ({
  certificates,
  trust,
  answering,
}: Pick<ListenersParts, 'certificates' | 'trust' | 'answering'>) => [
  ...serverEntry(certificates().serverPem),
  ...bankEntries(answering.upstream?.byTpp() ?? {}),
  ...anchorEntries(trust()),
];

function livePort(parts: ListenersParts, resend: ResendPort): LivePort {
  const { config, recording, answering, system, certificates, lookup } = parts;
  const { store, sessions, worlds, liveFeed: feed, recorder, isShared } = recording;
  return {
    store,
    ownRules: () => answering.ownRules()?.rules ?? [],
    ...lookup,
    feed,
    isShared,
    session: sessions.current,
    ...{ stopwatch: system.stopwatch, clock: system.clock },
    ledgerOf: (session) => worlds.of(session).ledger,
    bankOf: (session) => worlds.of(session).bank,
    now: (session) => worlds.of(session).clock.now(),
    mending: (session, tpp) => mendingOf(worlds.of(session), tpp, { ...answering, config }),
    window: () => answering.judge.window,
    unrecordedIn: recording.storeLog.unrecordedIn,
    storeProblem: () => recorder.problem()?.message ?? null,
    ownCertificates: () => certificatesShown(certificates(), answering),
    ...certificatesInFolder(parts, resend),
    judgedBy: () => answering.judge.options,
    after: system.timer.after,
    at: (session, time, run) => worlds.of(session).clock.at(time, run),
  };
}

/** Exchanges, some ms of work; calls are answered in between. */
const A_TURN = 20;

const withRules = (config: Config, loadedRules: Config['loadedRules']): Config =>
  loadedRules === undefined ? config : { ...config, loadedRules };

function sessionsPort(
  configNow: () => Config,
  { store, sessions }: { readonly store: Store; readonly sessions: Sessions },
  clock: () => number,
  version: string,
): SessionsPort {
  let isReporting = false;
  const report: SessionsPort['report'] = async (session, format) => {
    const [{ reportBytes }, { drawReport, openSessionSource }] = await Promise.all([
      import('../../report/index.js'),
      import('../report/index.js'),
    ]);
    // What the session was recorded under counts, so that it is what `sandgate report` says of it.
    const loaded = { config: configNow(), effective: [] };
    const source = await openSessionSource(store, session, { loaded, today: dateAt(clock()) });
    const drawn = await drawReport(source, { version }, (taken) =>
      taken % A_TURN === 0 ? setImmediate() : undefined,
    );
    return reportBytes(drawn, format);
  };
  return {
    all: () => store.sessions(),
    current: sessions.current,
    begin: (name = configNow().session ?? dateAt(clock())) => {
      if (!isSessionName(name)) throw new SandgateError('session.name', { name, form: SESSION_NAME_FORM });
      return sessions.follow(name);
    },
    mark: (name, text) => {
      if (!sessions.isOpen(name)) throw new SandgateError('session.not-open', { name: name.slice(0, 100) });
      return sessions.mark(name, text);
    },
    write: async function* (session, format) {
      const { exportSession } = await import('../sessions/export-session.js');
      yield* exportSession(store, session, { format, version, dialect: dialectIn(configNow()) });
    },
    report: async (session, format) => {
      if (isReporting) throw new SandgateError('report.busy', {});
      isReporting = true;
      try {
        return await report(session, format);
      } finally {
        isReporting = false;
      }
    },
  };
}
