/** Reads a recording from a file by what is in it: a cassette or a HAR. */
import { SandgateError } from '../spec/index.js';
import { CASSETTE_FORMAT, readCassetteValue } from './cassette.js';
import { readHarValue } from './har.js';
import { parseJsonText } from './json-text.js';
import type { FileRecording, ReadRecordingOptions } from './recording-file.js';

export function readRecording(
  source: string | Iterable<string>,
  options: ReadRecordingOptions = {},
): FileRecording {
  const name = options.name ?? 'The file';
  const value = parseJsonText(source, name);
  if (typeof value === 'object' && value !== null) {
    if ('format' in value && value.format === CASSETTE_FORMAT)
      return readCassetteValue(value, { ...options, name });
    if ('log' in value) return readHarValue(value, { ...options, name });
  }
  throw new SandgateError(
    'input',
    `${name} is neither a HAR nor a cassette file. sandgate sessions export writes both.`,
  );
}
