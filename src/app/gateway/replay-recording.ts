/** Loads what a replay answers from: a session of the store, a cassette or a HAR file. */
import type { Exchange, Fingerprint } from '../../exchange/index.js';
import { cassetteLines, readRecording } from '../../exchange/recording/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Store } from '../../store/index.js';
import { isFile, looksLikeFile, readText } from '../config/read-file.js';
import { recordedAt } from '../sessions/recorded-at.js';

export interface LoadedRecording {
  readonly exchanges: readonly Exchange[];
  /** The fixed path segment of the recording. */
  readonly segment: string;
  /** Of a file: the line that each exchange begins in; none where it is not written in lines as a cassette is. */
  readonly lines?: readonly number[];
  /** Where the recording is a session of the store: clear secrets can be held against its fingerprints. */
  readonly fingerprint?: Fingerprint;
}

export interface LoadParts {
  readonly store: Pick<Store, 'sessions' | 'read'>;
  /** What the user calls the store. */
  readonly storeName: string;
  readonly fingerprint: Fingerprint;
  readonly segment: string;
}

const MOST_NAMED = 10;

/** A name is a session first; what looks like a path is a file first. */
export async function loadRecording(name: string, parts: LoadParts): Promise<LoadedRecording> {
  const session = looksLikeFile(name) && isFile(name) ? undefined : await sessionNamed(name, parts);
  if (session !== undefined) return session;
  if (!isFile(name)) throw await unknownRecording(name, parts);
  const text = readText(name);
  const { records, segment } = readRecording(text, { name, segment: parts.segment });
  if (records.length === 0) throw emptyRecording(`The file ${name}`);
  const exchanges = records.map(({ exchange }) => exchange);
  return { exchanges, segment, lines: cassetteLines(text, exchanges.length) };
}

async function sessionNamed(
  name: string,
  { store, segment, fingerprint }: LoadParts,
): Promise<LoadedRecording | undefined> {
  const session = (await store.sessions()).find((one) => one.name === name);
  if (session === undefined) return undefined;
  const exchanges: Exchange[] = [];
  for await (const { exchange } of store.read(name)) exchanges.push(exchange);
  if (exchanges.length === 0) throw emptyRecording(`The session ${name}`);
  return { exchanges, segment: recordedAt(session).segment ?? segment, fingerprint };
}

async function unknownRecording(name: string, { store, storeName }: LoadParts): Promise<SandgateError> {
  const sessions = (await store.sessions()).filter(({ exchanges }) => exchanges > 0);
  const names = sessions.slice(-MOST_NAMED).map((session) => session.name);
  const known =
    names.length === 0
      ? 'The store holds none: give a cassette or HAR file, or import one with sandgate sessions import.'
      : `It holds ${names.join(', ')}.`;
  return new SandgateError('recording.unknown', { name, store: storeName, known });
}

function emptyRecording(what: string): SandgateError {
  return new SandgateError('recording.empty', { name: what });
}
