/** Opens a cassette or HAR file as the source of a report. */
import {
  createFingerprint,
  createRedactor,
  type FileBytes,
  type Fingerprint,
  openRecordingFile,
  type RecordingFile,
} from '../../exchange/index.js';
import { createLedger } from '../../ledger/index.js';
import type { Judging } from '../../report/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { digestOf } from '../check/file-digest.js';
import { judgeRecording } from '../check/judge-recording.js';
import { judgeBy, judgingOf } from './judging.js';
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
  const usual = judgingOf({ ...config, segment: recording.segment }, config, {
    origins: recording.origins,
    foreign,
  });
  const judging = recipe?.judging ?? usual;
  const earlier = { sessions: [], leftAside: 0 };
  const today = recipe === undefined ? parts.today : '';
  return {
    expected: recording.calls.length,
    usual: () => ({ rejudged: true, judging: usual, host: null, earlier }),
    source: {
      kind: recording.format,
      name,
      session: recording.session ?? null,
      ...{ notes: [], clockNotes: recording.notes },
      skipped: recording.skipped,
      records: redacted(recording, judging, fingerprint, today),
      ...{ fingerprint, ledger: createLedger(), judging, rejudged: true, host: host ?? null },
      earlier,
      evidence: { kind: 'file', digest: digest.toString('hex') },
      remarks: fileRemarks(foreign, recording),
    },
  };
}

/** Judged as it stands in the file, shown without secrets. */
function* redacted(
  { records, calls }: RecordingFile,
  judging: Judging,
  fingerprint: Fingerprint,
  today: string,
): Generator<RecordedExchange> {
  const judge = judgeBy(judging, fingerprint, today);
  const redact = createRedactor(fingerprint);
  const { overrides } = judging;
  for (const record of judgeRecording(records(), { judge, fingerprint, overrides, calls }))
    yield { ...record, exchange: redact(record.exchange).exchange };
}

function fileRemarks(foreign: boolean, { skipped }: RecordingFile): string[] {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return [
    ...(foreign
      ? ['The file was not written by Sandgate: it holds no certificates, so who called is not known.']
      : []),
    ...(left > 0 ? [`${left} entries of the file were skipped.`] : []),
  ];
}
