/** Opens a cassette or HAR file as the source of a report. */
import { createRedactor, type Redactor } from '../../exchange/index.js';
import type { FileBytes } from '../../exchange/recording/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { type FileToJudge, openJudgedFile } from '../check/judged-file.js';
import { fileRemarks } from './remarks.js';
import type { OpenedSource, SourceParts } from './source.js';

export function openFileSource(bytes: FileBytes, parts: SourceParts & FileToJudge): OpenedSource {
  const { name, loaded, recipe } = parts;
  const host = recipe === undefined ? parts.host : (recipe.host ?? undefined);
  const { recording, records, digest, fingerprint, usual, judging, known } = openJudgedFile(
    bytes,
    loaded.config,
    { ...parts, host },
  );
  const earlier = { sessions: [], leftAside: 0 };
  return {
    expected: recording.calls.length,
    // Judged as it stands in the file, shown without secrets.
    records: redacted(records, createRedactor(fingerprint)),
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
      remarks: fileRemarks(recording),
    },
  };
}

function* redacted(records: Iterable<RecordedExchange>, redact: Redactor): Generator<RecordedExchange> {
  for (const record of records) yield { ...record, exchange: redact(record.exchange).exchange };
}
