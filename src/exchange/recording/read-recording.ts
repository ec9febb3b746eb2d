/** Reads a recording from a file by what is in it: a cassette or a HAR. */
import { SandgateError } from '../../spec/index.js';
import { CASSETTE_FORMAT, openCassette } from '../cassette/cassette.js';
import { openHar } from '../har/har.js';
import { bytesOf, type FileBytes, openJsonFile } from './json-elements.js';
import {
  type FileRecording,
  inMemory,
  type ReadRecordingOptions,
  type RecordingFile,
} from './recording-file.js';

/** Looks at all of it, and reads its exchanges when they are asked for: a long one never lies in memory. */
export function openRecordingFile(
  bytes: FileBytes,
  { name = 'The file', ...options }: ReadRecordingOptions = {},
): RecordingFile {
  const file = openJsonFile(bytes, name);
  const { frame } = file;
  if (typeof frame === 'object' && frame !== null) {
    if ('format' in frame && frame.format === CASSETTE_FORMAT)
      return openCassette(file, { ...options, name });
    if ('log' in frame) return openHar(file, { ...options, name });
  }
  throw new SandgateError('recording.neither', { file: name });
}

export function readRecording(
  source: string | Iterable<string>,
  options: ReadRecordingOptions = {},
): FileRecording {
  return inMemory(openRecordingFile(bytesOf(source), options));
}
