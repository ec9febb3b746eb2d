/** The result of reading a recording from a file, whatever its format. */

import { type Dialect, dialectOf, inPlainWords, SandgateError } from '../../spec/index.js';
import { jsonPath } from '../members.js';
import type { FileRecord } from './record-schema.js';
import type { FileNote } from './session-note.js';

export interface ReadRecordingOptions {
  readonly name?: string;
  readonly host?: string | undefined;
  /** The interface where the file does not say it. */
  readonly dialect?: Dialect;
  /** That interface counts even where the file says another one. */
  readonly prevails?: boolean;
}

/** Addresses of a gateway's listeners, as links name them; several if it was started several times. */
export interface ListenerOrigins {
  readonly api: readonly string[];
  readonly psu: readonly string[];
  readonly bank?: readonly string[];
}

export type SkipReason = 'another host' | 'another path' | 'not HTTP' | 'CORS preflight';

/** A recording in a file: all of it is known to be well formed, its exchanges are read one by one. */
export interface RecordingFile {
  readonly format: 'har' | 'cassette';
  /** The name that the session had; undefined in files of others. */
  readonly session: string | undefined;
  readonly dialect: Dialect;
  /** The one that it was recorded under, where the file says it. */
  readonly recordedUnder: Dialect | undefined;
  readonly calls: readonly RecordedCall[];
  /** Records of `calls` in order, read from the file each time. */
  readonly records: () => Iterable<FileRecord>;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Origins of the bank, as they were called or are noted: `https://api.bank.example`. */
  readonly origins: ReadonlySet<string>;
  /** Listeners of the recording gateway; undefined if the file does not name them. */
  readonly listeners: ListenerOrigins | undefined;
  readonly notes: readonly FileNote[];
  /** The program of others that recorded it (a browser, a proxy); undefined where a gateway of ours did. */
  readonly recordedBy: string | undefined;
}

export interface RecordedCall {
  readonly id: string;
  /** Epoch ms by the machine's clock. */
  readonly at: number;
  readonly steps?: number;
  readonly crossed?: number;
}

export interface FileRecording extends Omit<RecordingFile, 'records'> {
  readonly records: readonly FileRecord[];
}

export function inMemory(file: RecordingFile): FileRecording {
  return { ...file, records: [...file.records()] };
}

/** The interface by which a file is read. */
export const dialectToReadBy = (
  recordedUnder: Dialect | undefined,
  { dialect = dialectOf(), prevails = false }: ReadRecordingOptions,
): Dialect => (recordedUnder === undefined || prevails ? dialect : recordedUnder);

const MOST_NAMED = 8;

export function isHost(host: string, wanted: string): boolean {
  const [called, asked] = [host.toLowerCase(), wanted.toLowerCase()];
  return called === asked || called.replace(/:\d+$/, '') === asked;
}

/** Throws where none of the hosts of a file is the wanted one: a slip of the pen is no empty recording. */
export function checkHost(name: string, hosts: ReadonlySet<string>, wanted: string): void {
  const all = [...hosts].sort();
  if (all.some((host) => isHost(host, wanted))) return;
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const held = all.length === 0 ? 'no host' : all.slice(0, MOST_NAMED).join(', ') + more;
  throw new SandgateError('recording.no-such-host', { name, host: wanted, held });
}

interface Schema<T> {
  safeParse(
    value: unknown,
    words: { error: typeof inPlainWords },
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

/** The value as the schema has it; the first thing that is wrong is the error, with its place. */
export function checkShape<T>(
  schema: Schema<T>,
  value: unknown,
  place: readonly PropertyKey[],
  name: string,
): T {
  const result = schema.safeParse(value, { error: inPlainWords });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw brokenFile(name, [...place, ...(issue?.path ?? [])], issue?.message ?? 'another form is expected');
}

export function brokenFile(name: string, place: readonly PropertyKey[], problem: string): SandgateError {
  const where = place.length === 0 ? '' : ` at ${jsonPath(place)}`;
  return new SandgateError('file.broken', { file: name, place: where, problem });
}
