/** Writes the cassette of a test's gateway: what the bank said, in one file for git, atomically. */
import { existsSync, readFileSync } from 'node:fs';
import { type AnswerSource, type FileRecord, type FileRecording, recordedAgain } from '../exchange/index.js';
import { buildCassette, type CassetteMeta, readRecording } from '../exchange/recording/index.js';
import { SandgateError, unreadable, unwritable } from '../spec/index.js';
import { type RecordedExchange, replaceFile } from '../store/index.js';

export const cassetteExists = (file: string): boolean => existsSync(file);

export function readCassetteFile(file: string): FileRecording {
  try {
    return readRecording(readFileSync(file, 'utf8'), { name: file });
  } catch (cause) {
    if (cause instanceof SandgateError) throw cause;
    throw unreadable(file, cause);
  }
}

/**
 * What is worth recording: what the bank said, and what it called. That it could not be reached is nothing to replay.
 * @param refusals whether refusals of the rules belong to it; where the rules refuse in the replay too, they come again
 */
export function recordable(records: Iterable<RecordedExchange>, refusals: boolean): FileRecord[] {
  const sources: readonly (AnswerSource | undefined)[] = [
    'emulator',
    'upstream',
    ...(refusals ? ['rule' as const] : []),
  ];
  const kept: FileRecord[] = [];
  let steps: NonNullable<FileRecord['steps']> = [];
  for (const { exchange, findings, steps: inFront = [] } of records) {
    const { call, answer } = exchange;
    steps = [...steps, ...inFront];
    if (!sources.includes(answer?.source) && call.direction !== 'to-tpp') continue;
    kept.push({ exchange, findings, ...(steps.length === 0 ? {} : { steps }) });
    steps = [];
  }
  return kept;
}

/**
 * Where there was one, lines change only where the journey does.
 * @param unique a text that no other writer has
 */
export async function writeCassette(
  file: string,
  records: readonly FileRecord[],
  meta: CassetteMeta,
  unique: string,
): Promise<void> {
  try {
    const fresh = [...buildCassette(records, meta)].join('');
    const whole = cassetteExists(file) ? recordedAgain(fresh, readFileSync(file, 'utf8')) : fresh;
    await replaceFile(file, [whole], unique);
  } catch (cause) {
    throw unwritable(`The cassette ${file}`, cause);
  }
}
