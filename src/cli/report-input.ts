/** Opens what a report is made of or checked against: files, or the store that serve would use. */
import { join } from 'node:path';
import { EVIDENCE_PUBLIC } from '../app/certificates/index.js';
import { isFile, type LoadedConfig } from '../app/config/index.js';
import {
  checkOutside,
  checkWhole,
  evidenceKey,
  type OpenedSource,
  openFileSource,
  openSessionSource,
  type ReaderTrust,
} from '../app/report/index.js';
import { bytesOf } from '../exchange/recording/index.js';
import { readBytes, readText } from '../files/index.js';
import type { Report } from '../report/index.js';
import { SandgateError } from '../spec/index.js';
import type { SessionInfo, Store } from '../store/index.js';
import type { AdminFlags } from './admin-client.js';
import type { FlagsOf } from './options.js';
import { withNamed } from './sessions-store.js';

export const TRUST_OPTIONS = [
  [
    '--evidence-key <PUBLIC>',
    'Key that must have signed the checkpoints of the recording (default: evidence.pub of the gateway).',
  ],
  [
    '--timestamp-ca <FILE>',
    'Certificates (PEM) of time stamping authorities or their CAs; every checkpoint must then be time-stamped.',
  ],
  ['--checkpoints <FILE>', 'File of checkpoints kept outside the store, one per line.'],
  ['--certs <DIR>', 'Folder of certificates of the gateway, with its evidence.pub (default: that of serve).'],
] as const;

export type TrustFlags = FlagsOf<typeof TRUST_OPTIONS>;

const keyFileOf = ({ config }: LoadedConfig, { evidenceKey }: TrustFlags): string =>
  evidenceKey ?? config.evidenceKey ?? join(config.certs, EVIDENCE_PUBLIC);

/** A gateway that was not named may still run, and it alone can sign what is left; null where that says nothing. */
export function unsignedText(
  { evidence: { kind, level } }: Report,
  loaded: LoadedConfig,
  flags: TrustFlags & AdminFlags,
): string | null {
  if (kind !== 'chain' || level !== 'consistent' || flags.admin !== undefined) return null;
  return isFile(keyFileOf(loaded, flags))
    ? 'Not all of the session is signed. If its gateway still runs, name its admin listener with --admin URL: it signs first.'
    : null;
}

export async function trustOf(loaded: LoadedConfig, flags: TrustFlags): Promise<ReaderTrust> {
  const named = flags.evidenceKey;
  const file = keyFileOf(loaded, flags);
  const isThere = named !== undefined || isFile(file);
  return {
    key: isThere ? evidenceKey(readText(file), file, named !== undefined) : null,
    anchors: flags.timestampCa === undefined ? [] : await anchorsIn(flags.timestampCa),
    outside: linesOf(flags.checkpoints),
  };
}

const linesOf = (file: string | undefined): string[] =>
  file === undefined ? [] : (readText(file).match(/.+\n?/g) ?? []).map((line) => `${line.trimEnd()}\n`);

export async function anchorsIn(file: string): Promise<ReaderTrust['anchors']> {
  const { openStampAnchors } = await import('../evidence/time-stamp/index.js');
  return openStampAnchors(readBytes(file), file);
}

export interface RecordingParts {
  readonly loaded: LoadedConfig;
  readonly today: string;
  readonly host?: string | undefined;
  readonly rejudge?: boolean | undefined;
  readonly trust: TrustFlags;
}

export function withRecording<T>(
  name: string,
  parts: RecordingParts,
  work: (opened: OpenedSource) => Promise<T>,
): Promise<T> {
  const { trust: _, ...rest } = parts;
  return withNamed(name, parts.loaded.config, async (found) => {
    if (found === null) return work(openFileSource(bytesOf(readBytes(name)), { ...rest, name }));
    if (parts.host !== undefined) throw new SandgateError('report.host-of-session', {});
    return work(await openSession(found.store, found.session, parts));
  });
}

/** @throws SandgateError where checkpoints kept outside are not those of the session */
export async function openSession(
  store: Store,
  session: SessionInfo,
  { trust: flags, ...parts }: RecordingParts,
): Promise<OpenedSource> {
  const { name } = session;
  const trust = await trustOf(parts.loaded, flags);
  const { checkpoints: file } = flags;
  if (file !== undefined) await checkOutside(store, name, { ...trust, file });
  const opened = await openSessionSource(store, session, { ...parts, trust });
  const { evidence } = opened.source;
  const isThis = evidence.kind === 'chain' && (evidence.witness?.differing ?? 0) === 0;
  if (file !== undefined && isThis) await checkWhole(store, name, { ...trust, file });
  return opened;
}
