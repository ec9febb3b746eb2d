/** Opens a cassette or HAR file as the source of a report. */

import { createHindsight } from '../../bank/index.js';
import { createFingerprint, createRedactor, type Redactor, through } from '../../exchange/index.js';
import { type FileBytes, openRecordingFile } from '../../exchange/recording/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { digestOf } from '../check/file-digest.js';
import { judgeRecording } from '../check/judge-recording.js';
import { judgeBy, judgingOf } from './judging.js';
import { fileRemarks } from './remarks.js';
import type { OpenedSource, SourceParts } from './source.js';

export interface FileSourceParts extends SourceParts {
  /** What the user called the file. */
  readonly name: string;
  /** Only calls to this host. */
  readonly host?: string | undefined;
}

/** `bytes` are a HAR or a cassette; a file that is neither is a SandgateError. */
export function openFileSource(bytes: FileBytes, parts: FileSourceParts): OpenedSource {
  const { name, loaded, recipe } = parts;
  const { config } = loaded;
  const host = recipe === undefined ? parts.host : (recipe.host ?? undefined);
  const segment = recipe?.judging.segment ?? config.segment;
  const recording = openRecordingFile(bytes, { name, segment, host });
  const digest = digestOf(bytes);
  // The key is out of the file: the same file gives the same fingerprints, and nobody else can compute them.
  const fingerprint = createFingerprint(digest);
  const foreign = recording.recordedBy !== undefined;
  const usual = judgingOf({ ...config, segment: recording.segment }, { origins: recording.origins, foreign });
  const judging = recipe?.judging ?? usual;
  const earlier = { sessions: [], leftAside: 0 };
  const today = recipe === undefined ? parts.today : '';
  const judge = judgeBy(judging, fingerprint, today);
  const { calls } = recording;
  const known = createHindsight(fingerprint);
  const judged = judgeRecording({ judge, fingerprint, overrides: judging.overrides, known, calls });
  return {
    expected: calls.length,
    // Judged as it stands in the file, shown without secrets.
    records: redacted(through(recording.records(), judged), createRedactor(fingerprint)),
    breaks: () => [],
    usual: async () => ({ rejudged: true, judging: usual, host: null, earlier }),
    source: {
      kind: recording.format,
      name,
      session: recording.session ?? null,
      notes: [],
      clockNotes: recording.notes,
      skipped: recording.skipped,
      fingerprint,
      ledgerAfter: () => known.ledger,
      judgings: [judging],
      inForce: [],
      rejudged: true,
      host: host ?? null,
      earlier,
      evidence: { kind: 'file', digest: digest.toString('hex') },
      remarks: fileRemarks(foreign, recording),
    },
  };
}

function* redacted(records: Iterable<RecordedExchange>, redact: Redactor): Generator<RecordedExchange> {
  for (const record of records) yield { ...record, exchange: redact(record.exchange).exchange };
}
