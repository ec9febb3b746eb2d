/** A HAR file of records, in chunks, and the records of one. */
import { type FileRecord, type FileRecording, through } from '../../../src/exchange/index.js';
import { bytesOf, harText, openHar } from '../../../src/exchange/recording/index.js';
import { openJsonFile } from '../../../src/exchange/recording/json-elements.js';
import { inMemory, type ReadRecordingOptions } from '../../../src/exchange/recording/recording-file.js';

export const buildHar = (records: Iterable<FileRecord>, meta: Parameters<typeof harText>[0]) =>
  through(records, harText(meta));

export const readHar = (
  source: string | Iterable<string>,
  { name = 'The HAR file', ...options }: ReadRecordingOptions = {},
): FileRecording => inMemory(openHar(openJsonFile(bytesOf(source), name), { ...options, name }));
