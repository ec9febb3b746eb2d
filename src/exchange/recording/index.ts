/** Recordings in files, read and written. What these are made of is not loaded where nobody opens one. */
import { SandgateError } from '../../spec/index.js';
import { CASSETTE_FORMAT, openCassette } from '../cassette/cassette.js';
import { openHar } from '../har/har.js';
import { bytesOf, type FileBytes, type JsonFile, openJsonFile } from './json-elements.js';
import {
  type FileRecording,
  inMemory,
  type ReadRecordingOptions,
  type RecordingFile,
} from './recording-file.js';

export * from '../cassette/cassette.js';
export * from '../har/har.js';
export { bytesOf, type FileBytes } from './json-elements.js';

/** Looks at all of it, and reads its exchanges when they are asked for: a long one never lies in memory. */
export function openRecordingFile(
  bytes: FileBytes,
  { name = 'The file', ...options }: ReadRecordingOptions = {},
): RecordingFile {
  try {
    return openSplit(openJsonFile(bytes, name, { byLines: true }), { ...options, name });
  } catch {
    // It is written in other lines, or broken, and then its bytes tell where.
    return openSplit(openJsonFile(bytes, name), { ...options, name });
  }
}

function openSplit(file: JsonFile, options: ReadRecordingOptions & { readonly name: string }): RecordingFile {
  const { frame } = file;
  if (typeof frame === 'object' && frame !== null) {
    if ('format' in frame && frame.format === CASSETTE_FORMAT) return openCassette(file, options);
    if ('log' in frame) return openHar(file, options);
  }
  throw new SandgateError('recording.neither', { file: options.name });
}

export function readRecording(
  source: string | Iterable<string>,
  options: ReadRecordingOptions = {},
): FileRecording {
  return inMemory(openRecordingFile(bytesOf(source), options));
}
