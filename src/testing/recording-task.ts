/** Records one cassette: the checks before, and the file at the end. */
import { basename, extname } from 'node:path';
import type { FileRecord } from '../exchange/index.js';
import type { CassetteMeta } from '../exchange/recording/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { cassetteExists, readCassetteFile, recordable, writeCassette } from './cassette-file.js';
import type { CassetteLock } from './cassette-lock.js';
import { extendRecording } from './extend-recording.js';
import type { RecordPlan } from './record-mode.js';
import type { OpenedGateway } from './start-gateway.js';

export interface RecordingTask {
  readonly file: string;
  readonly plan: Exclude<RecordPlan, 'replay'>;
  /** Writes what was recorded, once the gateway is closed; nothing where nothing was. */
  readonly finish: (run: readonly RecordedExchange[], opened: OpenedGateway) => Promise<void>;
}

export interface TaskParts {
  readonly file: string;
  readonly plan: RecordingTask['plan'];
  readonly refusals: boolean;
  readonly lock: CassetteLock;
  /** Makes texts that no other writer has. */
  readonly uuid: () => string;
}

export function openRecordingTask({ file, plan, refusals, lock, uuid }: TaskParts): RecordingTask {
  const recorded = plan === 'extend' ? readExtendable(file) : [];
  const before = plan === 'record' ? countRecorded(file) : 0;
  return {
    file,
    plan,
    finish: async (run, opened) => {
      const added = recordable(run, refusals);
      if (added.length === 0) return;
      const meta = metaOf(file, opened);
      const days = opened.gateway.session().replay?.daysShifted ?? 0;
      const whole = plan === 'extend' ? extendRecording({ recorded, run, added, days, meta }) : added;
      const reason = !lock.isHeld()
        ? 'its lock was removed meanwhile, and another gateway may have recorded it'
        : whole.length * 2 < before
          ? `${whole.length} exchanges were recorded, where it holds ${before}`
          : null;
      if (reason === null) return writeCassette(file, whole, meta, uuid());
      const beside = `${file}.new`;
      await writeCassette(beside, whole, meta, uuid());
      throw new SandgateError('testing.left-alone', { file, reason, beside });
    },
  };
}

function readExtendable(file: string): readonly FileRecord[] {
  const { format, records } = readCassetteFile(file);
  if (format === 'cassette') return records;
  throw new SandgateError('testing.har-extended', { file });
}

/** What a recording made again would replace; none where the file cannot be read, so that nothing of use is lost. */
function countRecorded(file: string): number {
  if (!cassetteExists(file)) return 0;
  try {
    return readCassetteFile(file).records.length;
  } catch {
    return 0;
  }
}

function metaOf(file: string, { app, config }: OpenedGateway): CassetteMeta {
  const { api, psu } = app.urls;
  const { segment, upstream, upstreamPsu } = config;
  const bank = [...new Set([upstream ?? [], upstreamPsu ?? []].flat().map(({ origin }) => origin))];
  return {
    session: basename(file, extname(file)),
    segment,
    origins: { api, psu, ...(bank.length === 0 ? {} : { bank }) },
  };
}
