/** The result of reading a recording from a file, whatever its format. */
import type { FileRecord } from './record-schema.js';
import type { FileNote } from './session-note.js';

export interface ReadRecordingOptions {
  /** What the user called the file; begins the sentence of an error. */
  readonly name?: string;
  /** Only calls to this host, with or without port. */
  readonly host?: string | undefined;
  /** The fixed path segment, where the file does not say it. */
  readonly segment?: string;
}

/** Where the listeners of a gateway were, as links name them; several, where it was started several times. */
export interface ListenerOrigins {
  readonly api: readonly string[];
  readonly psu: readonly string[];
  /** Where the bank behind it was, whose links may name these too; none before a bank of its own. */
  readonly bank?: readonly string[];
}

/** Why entries of a file were left aside. */
export type SkipReason = 'another host' | 'another path' | 'not HTTP' | 'CORS preflight';

/** A recording in a file: all of it is known to be well formed, its exchanges are read one by one. */
export interface RecordingFile {
  readonly format: 'har' | 'cassette';
  /** The name that the session had; undefined in files of others. */
  readonly session: string | undefined;
  readonly segment: string;
  /** In the order in which they were recorded. */
  readonly calls: readonly RecordedCall[];
  /** Those of `calls`, in their order; read from the file each time it is asked for. */
  readonly records: () => Iterable<FileRecord>;
  /** How many entries were left aside, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Origins of the bank, as they were called or are noted: `https://api.bank.example`. */
  readonly origins: ReadonlySet<string>;
  /** Of the gateway that recorded; undefined where the file does not say it. */
  readonly listeners: ListenerOrigins | undefined;
  readonly notes: readonly FileNote[];
  /** The program of others that recorded it (a browser, a proxy); undefined where a gateway of ours did. */
  readonly recordedBy: string | undefined;
}

export interface RecordedCall {
  readonly id: string;
  /** Epoch ms by the machine's clock. */
  readonly at: number;
  /** How many stand in front of it. */
  readonly steps?: number;
  /** See `Exchange`. */
  readonly crossed?: number;
}

/** The same with all exchanges in memory. */
export interface FileRecording extends Omit<RecordingFile, 'records'> {
  readonly records: readonly FileRecord[];
}

export function inMemory(file: RecordingFile): FileRecording {
  return { ...file, records: [...file.records()] };
}

export function* mapped<T, R>(items: Iterable<T>, of: (item: T, place: number) => R): Generator<R> {
  let place = 0;
  for (const item of items) yield of(item, place++);
}
