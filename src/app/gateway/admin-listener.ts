/** The listener for operators: what its pages and its API may see, and do. */
import { type Admin, openAdmin, type Ports } from '../../admin/index.js';
import { listenError } from '../../gateway/index.js';
import { budgets } from '../../ledger/index.js';
import { worldOf } from '../bank/index.js';
import { PAGE_FOLDER } from '../built.js';
import { errorFacts } from '../system/log.js';
import type { ListenersParts } from './listeners-parts.js';
import { livePort } from './live-port.js';
import { createOperatorsView } from './operators-view.js';
import { readinessChecks } from './readiness.js';
import { createResend } from './resend.js';
import { sessionsPort } from './sessions-port.js';

/** What the operator is answered by. */
export function openAdminListener(
  parts: ListenersParts,
  own: { readonly api: string; readonly psu: string },
  areListening: () => boolean,
): Promise<Admin> {
  const { config, system, recording, certificates, metrics } = parts;
  const { host, port } = config.adminListen;
  return openAdmin({
    host,
    port,
    token: config.adminToken,
    connections: config.limits.adminConnections,
    actions: config.actions,
    checks: readinessChecks({
      clock: system.clock,
      recordingProblem: async () => (await recording.recorder.probe())?.message ?? null,
      serverPem: certificates.serverPem,
      areListening,
    }),
    ports: adminPorts(parts, own),
    metrics,
    page: {
      folder: PAGE_FOLDER,
      about: () => ({ version: parts.version, urls: parts.urls(), bank: config.upstream?.host ?? null }),
    },
    onLoadError: (error) =>
      system.log.error(errorFacts(error), 'The admin listener could not load what answers.'),
    onListenError: (cause) => listenError('--admin-listen', host, port, cause),
  });
}

function adminPorts(parts: ListenersParts, own: { readonly api: string; readonly psu: string }): Ports {
  const { answering, recording, config, system, certificates, version } = parts;
  const { worlds, store, sessions, recorder } = recording;
  const { dir, caPem } = certificates;
  const shownToBank = () => answering.upstream?.shown().map(({ fingerprint }) => fingerprint) ?? [];
  const resend = createResend({
    store,
    dir,
    caPem,
    urls: own,
    clock: system.clock,
    ofBank: shownToBank,
    areNamed: config.headers,
  });
  const live = livePort({ ...parts, resend });
  const catchUp = createOperatorsView({ store, recorder, common: worlds.common });
  const caughtUp =
    <Given>(read: () => Given) =>
    async () => {
      await catchUp();
      return read();
    };
  return {
    resend,
    sessions: sessionsPort({ config, store, sessions, clock: system.clock, version }),
    evidence: recording.witness === null ? undefined : { sign: recording.witness.now },
    waivers: { ...answering.waivers, current: caughtUp(answering.waivers.current) },
    settings: { ...answering.switches, current: caughtUp(answering.switches.current) },
    clock: answering.clockSettings,
    bank: answering.bank,
    replay: { recording: answering.replay },
    budgets: {
      current: async (session) => {
        const { ledger, clock } = await worldOf(worlds, session);
        return budgets(ledger, clock.now(), answering.judge.window.spanAt);
      },
    },
    exchanges: live,
    live,
  };
}
