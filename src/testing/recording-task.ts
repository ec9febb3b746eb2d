/** The making of one cassette: what is checked before, and what is written in the end. */
import { basename, extname } from 'node:path';
import { systemParts } from '../app/index.js';
import type { CassetteMeta, FileRecord } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { readCassetteFile, recordable, writeCassette } from './cassette-file.js';
import { extendRecording } from './extend-recording.js';
import type { RecordPlan } from './record-mode.js';
import type { OpenedGateway } from './start-gateway.js';

export interface RecordingTask {
  readonly file: string;
  readonly plan: Exclude<RecordPlan, 'replay'>;
  /** Writes what was recorded, once the gateway is closed; nothing where nothing was. */
  readonly finish: (run: readonly RecordedExchange[], opened: OpenedGateway) => Promise<void>;
}

/** @param refusals see `recordable` */
export function openRecordingTask(
  file: string,
  plan: RecordingTask['plan'],
  refusals: boolean,
): RecordingTask {
  const recorded = plan === 'extend' ? readExtendable(file) : [];
  const { uuid } = systemParts('silent', () => undefined).chance;
  return {
    file,
    plan,
    finish: async (run, opened) => {
      const added = recordable(run, refusals);
      if (added.length === 0) return;
      const meta = metaOf(file, opened);
      const days = opened.gateway.session().replay?.daysShifted ?? 0;
      const whole = plan === 'extend' ? extendRecording({ recorded, run, added, days, meta }) : added;
      await writeCassette(file, whole, meta, uuid());
    },
  };
}

function readExtendable(file: string): readonly FileRecord[] {
  const { format, records } = readCassetteFile(file);
  if (format === 'cassette') return records;
  throw new SandgateError('input', `${file} is a HAR, and mode new adds to cassettes only: use mode none.`);
}

function metaOf(file: string, { app, config }: OpenedGateway): CassetteMeta {
  const { api, psu } = app.urls;
  return { session: basename(file, extname(file)), segment: config.segment, origins: { api, psu } };
}
