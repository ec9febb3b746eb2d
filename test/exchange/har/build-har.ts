/** A HAR file of records, in chunks. */
import { type FileRecord, harText, through } from '../../../src/exchange/index.js';

export const buildHar = (records: Iterable<FileRecord>, meta: Parameters<typeof harText>[0]) =>
  through(records, harText(meta));
