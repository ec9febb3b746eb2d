/** Opens a cassette or HAR file with its exchanges judged: for `check`, and as the source of a report. */

import { createHash } from 'node:crypto';
import { createHindsight } from '../../bank/index.js';
import { createFingerprint, createRedactor, type Redactor, through } from '../../exchange/index.js';
import { type FileBytes, openRecordingFile } from '../../exchange/recording/index.js';
import type { Recipe } from '../../report/index.js';
import { dialectOf } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { judgeRecording } from '../check/judge-recording.js';
import { dialectIn, settingsUnder } from '../config/bank-profile.js';
import type { Config } from '../config/config.js';
import { type AskedBank, askedBank, bankAdvice } from './asked-bank.js';
import { judgeBy, judgingOf, ownRulesOf } from './judging.js';
import { fileRemarks, ownRulesRemarks } from './remarks.js';
import type { OpenedSource, SourceParts } from './source.js';

export function openFileSource(bytes: FileBytes, parts: SourceParts & FileToJudge): OpenedSource {
  const { name, loaded, recipe, rejudge = false } = parts;
  const asked = askedBank(loaded, rejudge);
  const host = recipe === undefined ? parts.host : (recipe.host ?? undefined);
  const { recording, records, digest, fingerprint, usual, judging, known, own } = openJudgedFile(
    bytes,
    loaded.config,
    { ...parts, host, asked },
  );
  const { recordedUnder } = recording;
  const earlier = { sessions: [], leftAside: 0 };
  return {
    expected: recording.calls.length,
    // Judged as it stands in the file, shown without secrets.
    records: redacted(records, createRedactor(fingerprint)),
    breaks: () => [],
    advice: bankAdvice(recordedUnder === undefined ? [] : [recordedUnder.profile], asked),
    usual: async () => ({ rejudged: true, judging: usual, host: null, earlier }),
    source: {
      kind: recording.format,
      name,
      session: recording.session ?? null,
      notes: [],
      clockNotes: recording.notes,
      skipped: recording.skipped,
      ledgerAfter: () => known.ledger,
      judgings: [judging],
      ownRules: own,
      inForce: [],
      rejudged: true,
      host: host ?? null,
      earlier,
      evidence: { kind: 'file', digest: digest.toString('hex') },
      remarks: [...fileRemarks(recording), ...ownRulesRemarks([judging], loaded.config.loadedRules, true)],
    },
  };
}

function* redacted(records: Iterable<RecordedExchange>, redact: Redactor): Generator<RecordedExchange> {
  for (const record of records) yield { ...record, exchange: redact(record.exchange).exchange };
}

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
  readonly asked?: AskedBank | null;
}

/** The exchanges are clear, and drawn once. @throws SandgateError where the bytes are neither a HAR nor a cassette */
export function openJudgedFile(bytes: FileBytes, config: Config, file: FileToJudge) {
  const { name, host, today, recipe, asked = null } = file;
  const dialect =
    recipe === undefined ? dialectIn(config) : dialectOf(recipe.judging.bankProfile, recipe.judging.segment);
  const recording = openRecordingFile(bytes, {
    ...{ name, dialect, host },
    prevails: recipe !== undefined || asked?.prevails === true,
  });
  const digest = digestOf(bytes);
  // The key is out of the file: the same file gives the same fingerprints, and nobody else can compute them.
  const fingerprint = createFingerprint(digest);
  const { calls, origins } = recording;
  const foreign = recording.recordedBy !== undefined;
  const usual = judgingOf(settingsUnder(config, recording.dialect), { origins, foreign });
  const judging = recipe?.judging ?? usual;
  const { overrides } = judging;
  const judge = judgeBy(judging, fingerprint, recipe === undefined ? today : '', {}, config.loadedRules);
  const own = ownRulesOf([judging], config.loadedRules);
  const known = createHindsight(fingerprint, judge.options.dialect);
  const judged = judgeRecording({ judge, fingerprint, overrides, own, known, calls });
  const records = through(recording.records(), judged);
  /** `usual`: by what it is judged without a recipe. `known`: what its exchanges have taught so far. */
  return { recording, records, digest, fingerprint, usual, judging, known, own };
}
