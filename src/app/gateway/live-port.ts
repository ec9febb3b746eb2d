/** What the live parts of the admin API take of a running gateway. */
import type { LivePort, OwnCertificate } from '../../admin/index.js';
import { createTrust, inspectCertificate, parsePemFile } from '../../certificate/index.js';
import type { Certificates } from '../certificates/ensure.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Answering } from './answering.js';
import type { Recording } from './recording.js';

export interface LivePortParts {
  readonly recording: Recording;
  readonly answering: Answering;
  readonly system: Pick<SystemParts, 'timer' | 'stopwatch'>;
  readonly certificates: Certificates;
}

export function livePort({ recording, answering, system, certificates }: LivePortParts): LivePort {
  const { store, sessions, worlds, fingerprint, feed, recorder } = recording;
  const server = serverCertificate(certificates);
  return {
    ...{ store, fingerprint, feed, session: sessions.current, stopwatch: system.stopwatch },
    ledgerOf: (session) => worlds.of(session).ledger,
    bankOf: (session) => worlds.of(session).bank,
    now: (session) => worlds.of(session).clock.now(),
    spanAt: () => answering.judge.window.spanAt,
    storeProblem: () => recorder.problem()?.message ?? null,
    ownCertificates: () => [server, ...(answering.upstream?.shown() ?? [])],
    after: system.timer.after,
  };
}

const NOBODY = createTrust({ anchors: [] });

function serverCertificate({ serverPem }: Certificates): OwnCertificate {
  const [der = new Uint8Array()] = parsePemFile(Buffer.from(serverPem));
  const { subject, fingerprint256, notAfter } = inspectCertificate(der, [], NOBODY, 0);
  return { what: 'The server certificate', use: 'server', subject, fingerprint: fingerprint256, notAfter };
}
