/** Opens the upstream source as configured: connections, pages and client certificates. */

import type { OwnCertificate } from '../../admin/index.js';
import {
  type CredentialFiles,
  type Credentials,
  loadUpstream,
  type PsuProxy,
  type UpstreamLimits,
} from '../../answer/index.js';
import type { PageEvents } from '../../gateway/index.js';
import type { Proof } from '../../rules/index.js';
import { dialectIn } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { isLoopback } from '../config/values.js';
import type { Sessions } from '../sessions/open-sessions.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Urls } from './addresses.js';
import { createBankLog, createFailureLog } from './failure-logs.js';
import type { Change, Prepared } from './reload.js';

export type ConfiguredUpstream = NonNullable<Awaited<ReturnType<typeof openUpstream>>>;

/** What the way to the bank lays open, in sentences for the log and the banner. */
export function upstreamWarnings({ upstream, upstreams, upstreamPsu, lendCertificate }: Config): string[] {
  const clear = [upstream, upstreamPsu, ...Object.values(upstreams ?? {})].filter(
    (url) => url?.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')),
  );
  return [
    ...(lendCertificate === 'anyone'
      ? [
          'Calls are forwarded to the bank for anyone, with the gateway’s certificate: callers need none (--lend-certificate anyone).',
        ]
      : []),
    ...clear.map(
      (url) =>
        `${url?.href} is called in plain text: anyone on the way can read tokens and accounts. Give an https address.`,
    ),
  ];
}

/** null where no bank is configured. Throws a SandgateError where a certificate cannot be used. */
export async function openUpstream(
  config: Config,
  { log, clock }: Pick<SystemParts, 'log' | 'clock'>,
  urls: () => Urls,
  proof: Proof,
  sessions: Pick<Sessions, 'changed'>,
) {
  const { upstream: target, upstreamPsu: psuTarget = target, psuProxy: psuPages } = config;
  const { upstreams: targets = {} } = config;
  const further = Object.values(targets);
  if (target === undefined || psuTarget === undefined) return null;
  const { createCredentials, createUpstream, createPsuProxy } = await loadUpstream();
  const noteShown = () => sessions.changed({ upstreamShown: credentials.shown() });
  const credentials: Credentials = createCredentials({
    ...filesOf(config),
    log: { info: (text) => log.info({}, text), warn: (text) => log.warn({}, text) },
    onChange: noteShown,
  });
  noteShown();
  for (const warning of upstreamWarnings(config)) log.warn({}, warning);
  const limits = limitsOf(config);
  const { recognise } = dialectIn(config);
  const answerer = createUpstream({
    target,
    targets,
    psuTarget,
    psuPages,
    credentials,
    urls,
    recognise,
    limits,
    proof,
    lendsToAnyone: config.lendCertificate === 'anyone',
    rewrite: config.rewrite,
    onFailure: createBankLog({ log, clock }),
  });
  const pageFailed = createFailureLog({ log, clock }, 'A page of the bank failed.');
  let pages: PsuProxy | null = null;
  return {
    answerer,
    origins: [target, psuTarget, ...further].map(({ origin }) => origin),
    /** Opens the way to the bank’s pages; null where browsers are sent on to them instead. */
    openPages: psuPages
      ? (on: PageEvents): PsuProxy => {
          pages = createPsuProxy({
            target: psuTarget,
            apiTarget: target,
            further,
            credentials,
            urls,
            recognise,
            limits,
            onFailure: (cause) => pageFailed({ cause }),
            ...on,
          });
          return pages;
        }
      : null,
    byTpp: credentials.shown,
    shown: (): readonly OwnCertificate[] =>
      Object.values(credentials.shown()).flatMap((one) =>
        one === null ? [] : [{ ...one, what: 'The certificate for the bank', use: 'bank' as const }],
      ),
    /** Reads the files of its certificates again. */
    prepare: (next: Config): Prepared => {
      const { names, commit } = credentials.prepare(filesOf(next));
      const changes = names.map(
        (name): Change => ({ part: 'certificates for the bank', says: `that of ${name} is another one` }),
      );
      return { changes, commit };
    },
    close: async (): Promise<void> => {
      await pages?.close();
      await answerer.close();
    },
  };
}

const PASSPHRASE = 'SANDGATE_UPSTREAM_PASSPHRASE';

export function filesOf(config: Config) {
  const { upstreamCert: cert, upstreamKey: key, upstreamCa: ca = [], upstreamPassphrase } = config;
  const passphrase =
    upstreamPassphrase === undefined ? fileOf(config.upstreamPassphraseFile) : { env: PASSPHRASE };
  const named = Object.entries(config.upstreamCertificates ?? {});
  const byTpp = named.map(([tpp, files]): [string, CredentialFiles] => [
    tpp,
    { cert: files.cert, key: files.key, passphrase: fileOf(files.passphraseFile) },
  ]);
  return {
    fallback: cert === undefined ? undefined : { cert, key, passphrase },
    byTpp: Object.fromEntries(byTpp),
    ca,
    env: { [PASSPHRASE]: upstreamPassphrase },
  };
}

const fileOf = (file: string | undefined) => (file === undefined ? undefined : { file });

export function limitsOf({ upstreamLimits: limits, recordCap }: Config): Partial<UpstreamLimits> {
  return {
    connectMs: limits.connect,
    firstByteMs: limits.firstByte,
    idleMs: limits.idle,
    wholeMs: limits.whole,
    streamMs: limits.stream,
    keepAliveMs: limits.keepAlive,
    concurrency: limits.concurrency,
    queued: limits.queued,
    queueMs: limits.queue,
    websockets: limits.websockets,
    headBytes: limits.headers,
    recordBytes: recordCap,
    decodedBytes: limits.decoded,
  };
}
