/** What the live parts of the admin API take of a running gateway. */
import type { CertificateFile, LivePort, OwnCertificate, ResendPort } from '../../admin/index.js';
import { inspectCertificate, parsePemFile, TRUSTS_NOBODY } from '../../certificate/index.js';
import { createFingerprint } from '../../exchange/index.js';
import type { Lookup } from '../../store/index.js';
import type { Certificates } from '../certificates/ensure.js';
import { type ListedCertificate, listCertificates } from '../certificates/list.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Answering } from './answering.js';
import type { Recording } from './recording.js';

export interface LivePortParts {
  readonly recording: Recording;
  readonly answering: Answering;
  readonly system: Pick<SystemParts, 'timer' | 'stopwatch' | 'clock'>;
  readonly certificates: Certificates;
  readonly resend: ResendPort;
  readonly lookup: Pick<Lookup, 'search' | 'unfinished'>;
}

export function livePort(parts: LivePortParts): LivePort {
  const { recording, answering, system, certificates, resend, lookup } = parts;
  const { store, sessions, worlds, liveFeed: feed, recorder, isShared } = recording;
  // What it reads is recorded: its secrets are fingerprints already.
  const fingerprint = createFingerprint(store.fingerprintKey);
  let server: OwnCertificate | undefined;
  return {
    store,
    ...lookup,
    fingerprint,
    feed,
    isShared,
    session: sessions.current,
    stopwatch: system.stopwatch,
    ledgerOf: (session) => worlds.of(session).ledger,
    bankOf: (session) => worlds.of(session).bank,
    now: (session) => worlds.of(session).clock.now(),
    spanAt: () => answering.judge.window.spanAt,
    storeProblem: () => recorder.problem()?.message ?? null,
    ownCertificates: () => {
      server ??= serverCertificate(certificates);
      return [server, ...(answering.upstream?.shown() ?? [])];
    },
    files: async () => {
      const names = new Set(await resend.certificates());
      const listed = await listCertificates(certificates.dir, system.clock());
      return listed.map((one) => fileOf(one, names));
    },
    after: system.timer.after,
    at: (session, time, run) => worlds.of(session).clock.at(time, run),
  };
}

function serverCertificate({ serverPem }: Certificates): OwnCertificate {
  const [der = new Uint8Array()] = parsePemFile(Buffer.from(serverPem));
  const { subject, fingerprint256, notAfter } = inspectCertificate(der, [], TRUSTS_NOBODY, 0);
  return { what: 'The server certificate', use: 'server', subject, fingerprint: fingerprint256, notAfter };
}

function fileOf({ name, facts, flaw }: ListedCertificate, sent: ReadonlySet<string>): CertificateFile {
  const { subject, organizationIdentifier, fingerprint256, notAfter } = facts;
  return {
    name,
    use: name === 'ca' || name === 'server' ? name : 'test',
    subject,
    flaw,
    notAfter,
    tpp: organizationIdentifier?.text ?? null,
    fingerprint: fingerprint256,
    canResend: sent.has(name),
  };
}
