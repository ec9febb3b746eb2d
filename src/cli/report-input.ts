/** Opens what a report is made of or checked against: files, or the store that serve would use. */
import { join } from 'node:path';
import { isFile, type LoadedConfig, openConfiguredIfAny, readBytes, readText } from '../app/config/index.js';
import { EVIDENCE_PUBLIC } from '../app/gateway/index.js';
import {
  evidenceKey,
  type OpenedSource,
  openFileSource,
  openSessionSource,
  pickSource,
  type ReaderTrust,
  withWitness,
} from '../app/report/index.js';
import { bytesOf } from '../exchange/recording/index.js';
import { SandgateError } from '../spec/index.js';
import { storeName } from '../store/index.js';

export interface TrustFlags {
  /** The public key that checkpoints must be signed with; the one that the gateway left beside its own by default. */
  readonly evidenceKey?: string;
  /** Certificates of time stamping authorities, or of CAs above them. */
  readonly timestampCa?: string;
}

/** @throws SandgateError where a file that the reader names holds no such thing */
export async function trustOf({ config }: LoadedConfig, flags: TrustFlags): Promise<ReaderTrust> {
  const named = flags.evidenceKey;
  const file = named ?? config.evidenceKey ?? join(config.certs, EVIDENCE_PUBLIC);
  const isThere = named !== undefined || isFile(file);
  return {
    key: isThere ? evidenceKey(readText(file), file, named !== undefined) : null,
    anchors: flags.timestampCa === undefined ? [] : await anchorsIn(flags.timestampCa),
  };
}

async function anchorsIn(file: string): Promise<ReaderTrust['anchors']> {
  const { openStampAnchors } = await import('../evidence/time-stamp/index.js');
  return openStampAnchors(readBytes(file), file);
}

export interface RecordingParts {
  readonly loaded: LoadedConfig;
  readonly today: string;
  readonly host?: string | undefined;
  readonly trust: TrustFlags;
}

/** Opens a session or a file, does the work with it, and closes the store. */
export async function withRecording<T>(
  name: string,
  parts: RecordingParts,
  work: (opened: OpenedSource) => Promise<T>,
): Promise<T> {
  const { config } = parts.loaded;
  const path = storeName(config.store);
  const store = await openConfiguredIfAny(config);
  try {
    const sessions = (await store?.sessions()) ?? [];
    const session = sessions.find((one) => one.name === name);
    const known = { isFile: isFile(name), isSession: session !== undefined, store: path };
    const names = sessions.map((one) => one.name);
    if (pickSource(name, known, names) === 'file')
      return await work(openFileSource(bytesOf(readBytes(name)), { ...parts, name }));
    if (store === null || session === undefined) throw new SandgateError('session.lost', { name });
    if (parts.host !== undefined) throw new SandgateError('report.host-of-session', {});
    const trust = await trustOf(parts.loaded, parts.trust);
    return await work(await withWitness(await openSessionSource(store, session, parts), store, name, trust));
  } finally {
    await store?.close();
  }
}
