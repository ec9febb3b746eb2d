/** Opens a cassette or HAR file with its exchanges judged. */
import { createHash } from 'node:crypto';
import { createHindsight } from '../../bank/index.js';
import { createFingerprint, through } from '../../exchange/index.js';
import { type FileBytes, openRecordingFile } from '../../exchange/recording/index.js';
import type { Recipe } from '../../report/index.js';
import type { Config } from '../config/config.js';
import { judgeBy, judgingOf } from '../report/judging.js';
import { judgeRecording } from './judge-recording.js';

const CHUNK = 1_048_576;

function digestOf({ size, read }: FileBytes): Buffer {
  const hash = createHash('sha256');
  const memory = Buffer.allocUnsafeSlow(CHUNK);
  for (let from = 0; from < size; from += CHUNK)
    hash.update(read(from, Math.min(size, from + CHUNK), memory));
  return hash.digest();
}

export interface FileToJudge {
  readonly name: string;
  readonly host?: string | undefined;
  /** YYYY-MM-DD: which waivers have ended. */
  readonly today: string;
  /** Judges as a report says that it was judged, instead of as configured now. */
  readonly recipe?: Recipe | undefined;
}

/** The exchanges are clear, and drawn once. @throws SandgateError where the bytes are neither a HAR nor a cassette */
export function openJudgedFile(bytes: FileBytes, config: Config, { name, host, today, recipe }: FileToJudge) {
  const segment = recipe?.judging.segment ?? config.segment;
  const recording = openRecordingFile(bytes, { name, segment, host });
  const digest = digestOf(bytes);
  // The key is out of the file: the same file gives the same fingerprints, and nobody else can compute them.
  const fingerprint = createFingerprint(digest);
  const { calls, origins } = recording;
  const foreign = recording.recordedBy !== undefined;
  const usual = judgingOf({ ...config, segment: recording.segment }, { origins, foreign });
  const judging = recipe?.judging ?? usual;
  const { overrides } = judging;
  const judge = judgeBy(judging, fingerprint, recipe === undefined ? today : '');
  const known = createHindsight(fingerprint);
  const judged = judgeRecording({ judge, fingerprint, overrides, known, calls });
  const records = through(recording.records(), judged);
  /** `usual`: by what it is judged without a recipe. `known`: what its exchanges have taught so far. */
  return { recording, records, digest, fingerprint, usual, judging, known };
}
